import { hash } from 'node:crypto';
import { cutPage, type PageCursor, type PageQuery } from '../../http/answer/paging.ts';

/**
 * Cuts one page of a list that is computed as a whole: it starts after the last item of the page before, or
 * at that item's position if the item is gone.
 *
 * @param keyOf  a unique key of an item
 */
export function cutByKey<T>(
  all: readonly T[],
  { limit, after }: PageQuery,
  keyOf: (item: T) => string,
): { items: T[]; next?: PageCursor } {
  const start = after ? positionAfter(all, after, keyOf) : 0;
  const { items, next } = cutPage(all.slice(start, start + limit + 1), limit, (item) => [
    all.indexOf(item) + 1,
    shortened(keyOf(item)),
  ]);
  return next ? { items, next } : { items };
}

function positionAfter<T>(
  all: readonly T[],
  [position, key]: PageCursor,
  keyOf: (item: T) => string,
): number {
  const expected = Number(position);
  const last = all[expected - 1];
  if (last !== undefined && shortened(keyOf(last)) === key) return expected;
  const found = all.findIndex((item) => shortened(keyOf(item)) === key);
  return found === -1 ? expected - 1 : found + 1;
}

/** A hash of a key, because keys of targets may be too long for a page token. */
function shortened(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22);
}
