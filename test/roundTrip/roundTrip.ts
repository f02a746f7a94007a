import { documentToMarkdown, parseDocument } from '@bindery/dialect';
import { readPageIndependently, type PageFacts } from './independentPage.ts';

/** The losses and gains of a page on its way through the document tree; all should be empty. */
export type RoundTrip = {
  /** The first place at which a second pass writes something else. */
  unstable?: { first: string; second: string };
  wordsLost: string[];
  headings: string[];
  codeLines: string[];
  links: string[];
  images: string[];
  markdown: string;
};

/** Reads a body, writes it, and compares what an independent reader finds in both. */
export function roundTripOf(body: string): RoundTrip {
  const markdown = documentToMarkdown(parseDocument(body));
  const again = documentToMarkdown(parseDocument(markdown));
  const before = readPageIndependently(body);
  const after = readPageIndependently(markdown);
  return {
    ...(again !== markdown && { unstable: firstDifference(markdown, again) }),
    wordsLost: missing(before.words, after.words),
    headings: inOrder(before.headings, after.headings),
    codeLines: [
      ...missing(before.codeLines.map(trimmed), after.codeLines.map(trimmed)),
      ...added(before, after, 'codeLines'),
    ],
    links: changed(before, { after, key: 'links', body }),
    images: changed(before, { after, key: 'images', body }),
    markdown,
  };
}

const trimmed = (line: string) => line.trimEnd();

function added(before: PageFacts, after: PageFacts, key: 'codeLines'): string[] {
  return missing(after[key].map(trimmed), before[key].map(trimmed))
    .filter((line) => line !== '')
    .map((line) => `+ ${line}`);
}

/**
 * Targets that were lost, and those that came about though nobody wrote them: bare addresses and footnotes
 * become links.
 */
function changed(
  before: PageFacts,
  { after, key, body }: { after: PageFacts; key: 'links' | 'images'; body: string },
): string[] {
  const [from, to] = [before[key].map(decoded), after[key].map(decoded)];
  const gained = missing(to, from).filter(
    (target) => !target.startsWith('#user-content-fn-') && !isBare(target, body),
  );
  return [...missing(from, to), ...gained.map((target) => `+ ${target}`)];
}

function isBare(target: string, body: string): boolean {
  // The place of a heading is written as a link to itself.
  if (
    target.startsWith('#') &&
    (body.includes(`id="${target.slice(1)}"`) || body.includes(`name="${target.slice(1)}"`))
  )
    return true;
  return body.includes(target.replace(/^(?:mailto:|http:\/\/)/, ''));
}

function decoded(target: string): string {
  return target.trim();
}

function missing(from: readonly string[], to: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of to) counts.set(each, (counts.get(each) ?? 0) + 1);
  return from.filter((each) => {
    const count = counts.get(each) ?? 0;
    counts.set(each, count - 1);
    return count <= 0;
  });
}

function inOrder(from: readonly string[], to: readonly string[]): string[] {
  return from.join('\n') === to.join('\n')
    ? []
    : [...missing(from, to), ...missing(to, from).map((each) => `+ ${each}`), '(order)'].slice(0, 10);
}

function firstDifference(one: string, other: string): { first: string; second: string } {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return { first: around(one), second: around(other) };
}
