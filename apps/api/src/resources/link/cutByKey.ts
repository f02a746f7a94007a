import { hash } from 'node:crypto';
import { cutPage, type PageCursor, type PageQuery } from '../../http/answer/paging.ts';

/**
 * One page of a list that is worked out as a whole: behind the item where the last page ended; where that is
 * gone with newer content, at the place where it was.
 *
 * @param keyOf  tells one item of the list from all others
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

/** Targets may be longer than a token is to be. */
function shortened(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22);
}
