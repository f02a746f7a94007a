import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Counting so many takes a millisecond; what is beyond is remembered for a moment. */
const countedAtOnce = 1_000;
const memoryMs = 2_000;

const memory = new LRUCache<string, { count: number; state: number }>({ max: 10_000, ttl: memoryMs });
const states = new LRUCache<string, number>({ max: 10_000 });
let newestState = 0;

/**
 * A list that takes longer than this ends with 503, rather than keep MongoDB busy for somebody who has long
 * given up.
 */
export const maxListMs = 5_000;

/** The part of a mongoose model that this needs. */
export type Countable = {
  modelName: string;
  countDocuments(filter: object, options: { limit?: number; maxTimeMS: number }): PromiseLike<number>;
};

/**
 * How many records match.
 *
 * Exact, and for more than a thousand remembered for two seconds, so that a page of a list costs the same
 * however long the list is. A write of this process is counted at once; one that came through another process
 * at the latest after that time.
 */
export async function countOf(model: Countable, filter: object): Promise<number> {
  const few = await model.countDocuments(filter, { limit: countedAtOnce, maxTimeMS: maxListMs });
  if (few < countedAtOnce) return few;
  const key = createHash('sha256')
    .update(`${model.modelName} ${JSON.stringify(filter)}`)
    .digest('base64url');
  const state = stateOf(filter);
  const known = memory.get(key);
  if (known?.state === state) return known.count;
  const count = await model.countDocuments(filter, { maxTimeMS: maxListMs });
  memory.set(key, { count, state });
  return count;
}

/** How many records match; undefined for more than `most`, which are not counted. */
export async function countUpTo(model: Countable, filter: object, most: number): Promise<number | undefined> {
  const count = await model.countDocuments(filter, { limit: most + 1, maxTimeMS: maxListMs });
  return count > most ? undefined : count;
}

/**
 * Something of this organization was written, so what was counted there is no longer known; without one,
 * nothing is.
 */
export function forgetCounts(organization: string | undefined): void {
  newestState += 1;
  if (organization === undefined) {
    states.clear();
    memory.clear();
  } else {
    states.set(organization, newestState);
  }
}

/** Grows with each write that may have changed what the filter finds. */
function stateOf(filter: { organization?: unknown }): number {
  return typeof filter.organization === 'string' ? (states.get(filter.organization) ?? 0) : newestState;
}
