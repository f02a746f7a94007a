import type { PageCursor } from '../http/paging.ts';

/** The order of lists that have no order of their own; the id breaks ties. */
export const newestFirst = { createdAt: -1, _id: -1 } as const;

/** The place of a record in that order, for the token of the next page. */
export function placeOf({ createdAt, _id }: { createdAt: Date; _id: string }): PageCursor {
  return [createdAt.toISOString(), _id];
}

/** What comes after a place, as a filter. */
export function afterPlace([createdAt, id]: PageCursor) {
  const time = new Date(String(createdAt));
  return { $or: [{ createdAt: { $lt: time } }, { createdAt: time, _id: { $lt: String(id) } }] };
}
