import type { PageCursor, PageQuery } from '../http/answer/paging.ts';
import { cutPage } from '../http/answer/paging.ts';
import { countOf, countUpTo, maxListMs, type Countable } from './countOf.ts';

/** Sort order of a list: fields and directions, `_id` last. A field whose name ends in `At` is a time. */
export type Order = readonly (readonly [field: string, direction: 1 | -1])[];

/** Default order of lists; the id breaks ties. */
export const newestFirst: Order = [
  ['createdAt', -1],
  ['_id', -1],
];
/** The order that users arranged. */
export const bySiblings: Order = [
  ['siblingsOf', 1],
  ['position', 1],
  ['_id', 1],
];

/** The parts of a mongoose model used here. */
type Listed = Countable & {
  find(
    filter: object,
    projection?: Record<string, 0>,
  ): {
    sort(order: Record<string, 1 | -1>): {
      limit(limit: number): { maxTimeMS(ms: number): { lean(): PromiseLike<unknown> } };
    };
  };
};

/**
 * Returns one page of matching records, the count on all pages, and the position of the next page.
 *
 * The order must be that of an index that begins with the fields of the filter; then the cost of a page does
 * not depend on its position in the list.
 *
 * @param query.without  fields to leave out, because they may be large
 * @param query.countsUpTo  `count` is absent when more records match
 */
export async function findPage<R>(
  model: Listed,
  filter: object,
  query: PageQuery & { order?: Order; without?: readonly string[]; countsUpTo?: undefined },
): Promise<{ rows: R[]; count: number; next?: PageCursor }>;
export async function findPage<R>(
  model: Listed,
  filter: object,
  query: PageQuery & { order?: Order; without?: readonly string[]; countsUpTo: number },
): Promise<{ rows: R[]; count?: number | undefined; next?: PageCursor }>;
export async function findPage<R>(
  model: Listed,
  filter: object,
  {
    order = newestFirst,
    limit,
    after,
    without,
    countsUpTo,
  }: PageQuery & { order?: Order; without?: readonly string[]; countsUpTo?: number },
): Promise<{ rows: R[]; count?: number | undefined; next?: PageCursor }> {
  const [count, found] = await Promise.all([
    countsUpTo === undefined ? countOf(model, filter) : countUpTo(model, filter, countsUpTo),
    model
      .find(
        after ? { $and: [filter, afterCursor(order, after)] } : filter,
        without && Object.fromEntries(without.map((field) => [field, 0])),
      )
      .sort(Object.fromEntries(order))
      .limit(limit + 1)
      .maxTimeMS(maxListMs)
      .lean() as PromiseLike<R[]>,
  ]);
  const { items, ...page } = cutPage(found, limit, (row) => cursorOf(order, row as Record<string, unknown>));
  return { rows: items, count, ...page };
}

/** The position of a record in an order, for the page token. */
export function cursorOf(order: Order, row: Record<string, unknown>): PageCursor {
  return order.map(([field]) => {
    const value = row[field];
    return value instanceof Date ? value.toISOString() : (value as string | number);
  });
}

/** A filter for the records after a position. */
export function afterCursor(order: Order, cursor: PageCursor): object {
  const values = order.map(([field], i) => (field.endsWith('At') ? new Date(String(cursor[i])) : cursor[i]));
  const later = order.map(([field, direction], i) => ({
    ...Object.fromEntries(order.slice(0, i).map(([earlier], j) => [earlier, values[j]])),
    [field]: { [direction === 1 ? '$gt' : '$lt']: values[i] },
  }));
  const [first] = order;
  if (!first) return {};
  // Follows from the rest, but lets the index start here instead of scanning all earlier pages.
  return { [first[0]]: { [first[1] === 1 ? '$gte' : '$lte']: values[0] }, $or: later };
}
