import { diffSequences, type Difference } from './diffSequences.ts';

/** Larger tables of pairs are not searched for the best pairing. */
const maxPairs = 2_500;
const comparedCharacters = 2_000;

/**
 * The new positions of a text's blocks: for each block its index in the changed text, changed or not, or
 * undefined if it was removed.
 */
export type Alignment = { to: (number | undefined)[]; from: Map<number, number> };

/**
 * Matches the blocks of two versions of a text. Equal blocks are matched first; the blocks between them are
 * paired in order, by similarity, so that a rewritten block counts as changed rather than removed and added.
 *
 * @param maxWork  maximum number of parts compared to find similar blocks; beyond it, blocks are paired in
 *   order
 */
export function alignBlocks(
  before: readonly string[],
  after: readonly string[],
  maxWork = Infinity,
): Alignment {
  const to: (number | undefined)[] = before.map(() => undefined);
  const from = new Map<number, number>();
  const pair = (old: number, now: number) => {
    to[old] = now;
    from.set(now, old);
  };
  let [oldAt, nowAt] = [0, 0];
  const end: Difference = { before: before.length, removed: 0, after: after.length, added: 0 };
  let work = 0;
  for (const difference of [...diffSequences(before, after), end]) {
    for (; oldAt < difference.before; oldAt += 1, nowAt += 1) pair(oldAt, nowAt);
    const removed = before.slice(oldAt, oldAt + difference.removed);
    const added = after.slice(nowAt, nowAt + difference.added);
    work += workOf(removed, added);
    const pairs = work > maxWork ? inOrder(removed, added) : pairUp(removed, added);
    for (const [old, now] of pairs) pair(oldAt + old, nowAt + now);
    [oldAt, nowAt] = [oldAt + difference.removed, nowAt + difference.added];
  }
  return { to, from };
}

/** Pairs as many blocks as possible in order, and among those pairings chooses the most similar one. */
function pairUp(before: readonly string[], after: readonly string[]): [number, number][] {
  if (before.length === 0 || after.length === 0) return [];
  if (before.length * after.length > maxPairs) return inOrder(before, after);
  const partsBefore = before.map(partsOf);
  const partsAfter = after.map(partsOf);
  const width = after.length + 1;
  const best = new Float64Array((before.length + 1) * width);
  const weights = before.map((old, i) =>
    after.map((now, j) => weightOf([old, now], [partsBefore[i], partsAfter[j]] as [Parts, Parts])),
  );
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const paired = (weights[i]?.[j] as number) + (best[(i + 1) * width + j + 1] as number);
      best[i * width + j] = Math.max(
        paired,
        best[(i + 1) * width + j] as number,
        best[i * width + j + 1] as number,
      );
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    const here = best[i * width + j] as number;
    if (here === (weights[i]?.[j] as number) + (best[(i + 1) * width + j + 1] as number))
      pairs.push([i++, j++]);
    else if (here === best[(i + 1) * width + j]) i += 1;
    else j += 1;
  }
  return pairs;
}

function inOrder(before: readonly string[], after: readonly string[]): [number, number][] {
  return before.slice(0, after.length).map((_, index) => [index, index]);
}

/** The cost of pairing these blocks, in compared parts. */
function workOf(before: readonly string[], after: readonly string[]): number {
  if (before.length * after.length > maxPairs) return 0;
  const lengthOf = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + Math.min(text.length, comparedCharacters), 0);
  const [old, now] = [lengthOf(before), lengthOf(after)];
  return old + now + Math.min(old * after.length, now * before.length);
}

function weightOf([a, b]: [string, string], parts: [Parts, Parts]): number {
  return 0.05 + (kindOf(a) === kindOf(b) ? 0.2 : 0) + likeness(...parts);
}

/** Trigrams from the beginning of a text: works for every script, also in bytes. */
type Parts = ReadonlySet<string>;

function partsOf(text: string): Parts {
  const compared = text.slice(0, comparedCharacters);
  const parts = new Set<string>();
  for (let at = 0; at < Math.max(1, compared.length - 2); at += 1) parts.add(compared.slice(at, at + 3));
  return parts;
}

function likeness(a: Parts, b: Parts): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const part of few) if (many.has(part)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

/** Measures the similarity of two blocks, from 0 to 1. */
export function likenessOf(a: string, b: string): number {
  return likeness(partsOf(a), partsOf(b));
}

/** The kind of a block, recognized by its beginning. */
function kindOf(block: string): string {
  return (
    /^[ \t]*(?:#{1,6}(?= )|[`~]{3}|\{% *\w+|<\w+|>|[*+-](?= )|\d+[.)](?= )|\|)/.exec(block)?.[0]?.trim() ?? ''
  );
}
