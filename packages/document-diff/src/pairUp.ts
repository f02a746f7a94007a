import type { Budget } from './budget.ts';
import type { Member } from './member.ts';

/** Larger gaps are not searched for the best pairs, only for good ones nearby. */
const maxPairs = 900;
const searched = 4;
const comparedCharacters = 300;
/** Less similar members are a removed and an added one. */
const leastLikeness = 0.25;
/** A pair this similar is not searched for a better one. */
const goodLikeness = 0.6;

/** Pairs similar members of two sides, in order. */
export function pairUp<Value>(
  before: readonly Member<Value>[],
  after: readonly Member<Value>[],
  budget: Budget,
): Map<Member<Value>, Member<Value>> {
  if (before.length === 0 || after.length === 0) return new Map();
  const words = new Map<Member<Value>, ReadonlySet<string>>();
  const wordsIn = (member: Member<Value>) => {
    const known = words.get(member) ?? new Set(member.text().slice(0, comparedCharacters).split(/\s/));
    words.set(member, known);
    return known;
  };
  const likenessOf = (old: Member<Value>, now: Member<Value>) => {
    if (old.kind !== now.kind || budget.left <= 0) return 0;
    const found = likeness(wordsIn(old), wordsIn(now));
    budget.left -= 2 * (wordsIn(old).size + wordsIn(now).size);
    return found < leastLikeness ? 0 : found;
  };
  return before.length * after.length > maxPairs
    ? nearbyPairs(before, after, likenessOf)
    : bestPairs(before, after, likenessOf);
}

type LikenessOf<Value> = (old: Member<Value>, now: Member<Value>) => number;

/** The pairs with the greatest sum of likenesses. */
function bestPairs<Value>(
  before: readonly Member<Value>[],
  after: readonly Member<Value>[],
  likenessOf: LikenessOf<Value>,
): Map<Member<Value>, Member<Value>> {
  const weights = before.map((old) => after.map((now) => likenessOf(old, now)));
  const weight = (i: number, j: number) => weights[i]?.[j] ?? 0;
  const sums = Array.from({ length: before.length + 1 }, () => new Float64Array(after.length + 1));
  const sum = (i: number, j: number) => sums[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      (sums[i] as Float64Array)[j] = Math.max(weight(i, j) + sum(i + 1, j + 1), sum(i + 1, j), sum(i, j + 1));
  const pairs = new Map<Member<Value>, Member<Value>>();
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (weight(i, j) > 0 && sum(i, j) === weight(i, j) + sum(i + 1, j + 1))
      pairs.set(before[i++] as Member<Value>, after[j++] as Member<Value>);
    else if (sum(i, j) === sum(i + 1, j)) i += 1;
    else j += 1;
  }
  return pairs;
}

function nearbyPairs<Value>(
  before: readonly Member<Value>[],
  after: readonly Member<Value>[],
  likenessOf: LikenessOf<Value>,
): Map<Member<Value>, Member<Value>> {
  const pairs = new Map<Member<Value>, Member<Value>>();
  let next = 0;
  for (const old of before) {
    let best = { place: -1, likeness: 0 };
    for (const [offset, now] of after.slice(next, next + searched).entries()) {
      const found = likenessOf(old, now);
      if (found > best.likeness) best = { place: next + offset, likeness: found };
      if (found >= goodLikeness) break;
    }
    if (best.place === -1) continue;
    pairs.set(old, after[best.place] as Member<Value>);
    next = best.place + 1;
  }
  return pairs;
}

/** The part of words that two members share, from 0 to 1; those without words are half alike. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const each of few) if (each !== '' && many.has(each)) shared += 1;
  return a.size <= 1 && b.size <= 1 && shared === 0 ? 0.5 : (2 * shared) / (a.size + b.size);
}
