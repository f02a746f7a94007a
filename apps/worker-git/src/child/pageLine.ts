import type { PageFacts } from '@bindery/dialect/repository-format';

/**
 * Formats the line value of a page's blob, whose key is its oid: the SHA-256 under which its source is
 * stored, then the facts found by scanning it.
 */
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
