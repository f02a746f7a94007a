import type { PageFacts } from '@bindery/dialect/repository-format';

/** What is known of a page's blob, behind its oid in a line: the SHA-256 under which its source is stored, then what scanning it found. */
export function pageLine(document: string, facts: PageFacts): string {
  return `${document} ${JSON.stringify(facts)}`;
}

const hashLength = 64;

export function documentOfLine(line: string): string {
  return line.slice(0, hashLength);
}

export function factsOfLine(line: string): PageFacts {
  return JSON.parse(line.slice(hashLength + 1)) as PageFacts;
}
