import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Counting this many records takes a millisecond; higher counts are cached for `memoryMs`. */
const countedAtOnce = 1_000;
const memoryMs = 2_000;

const memory = new LRUCache<string, { count: number; state: number }>({ max: 10_000, ttl: memoryMs });
const states = new LRUCache<string, number>({ max: 10_000 });
let newestState = 0;

/** Longer list queries end with 503 instead of keeping MongoDB busy for a caller that has given up. */
export const maxListMs = 5_000;

/** The parts of a mongoose model used here. */
export type Countable = {
  modelName: string;
  countDocuments(filter: object, options: { limit?: number; maxTimeMS: number }): PromiseLike<number>;
};

/**
 * Counts the matching records.
 *
 * Counts above a thousand are cached for two seconds, so that a page costs the same however long the list is.
 * Writes of this process are counted at once, those of other processes after two seconds at the latest.
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

/** Counts up to `most` matching records; undefined when there are more. */
export async function countUpTo(model: Countable, filter: object, most: number): Promise<number | undefined> {
  const count = await model.countDocuments(filter, { limit: most + 1, maxTimeMS: maxListMs });
  return count > most ? undefined : count;
}

/** Forgets the cached counts of an organization after a write in it; without an organization, all counts. */
export function forgetCounts(organization: string | undefined): void {
  newestState += 1;
  if (organization === undefined) {
    states.clear();
    memory.clear();
  } else {
    states.set(organization, newestState);
  }
}

/** Increases with each write that may have changed the result of the filter. */
function stateOf(filter: { organization?: unknown }): number {
  return typeof filter.organization === 'string' ? (states.get(filter.organization) ?? 0) : newestState;
}
