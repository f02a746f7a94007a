import { randomText } from '@bindery/runtime';
import { generateKeyBetween } from 'fractional-indexing';
import type { Model } from 'mongoose';
import { Collection } from '../space/collection.ts';
import type { ClientSession } from '../database/connection.ts';
import { Space } from '../space/space.ts';

/**
 * Returns a position between two siblings, as text that sorts by its bytes, so that moving one item writes
 * one record.
 *
 * Random characters at the end make it unique, also when several processes insert at the same place at once.
 * @param before  the position of the left neighbour; absent: at the beginning
 * @param after  the position of the right neighbour; absent: at the end
 */
export function positionBetween(before: string | undefined, after: string | undefined): string {
  const key = generateKeyBetween(before ?? null, after ?? null);
  // A trailing zero would not change the position.
  const unique = `${key}${randomText(5)}${randomText(1).replace('0', '1')}`;
  return after === undefined || unique < after ? unique : key;
}

/** An item in an order of siblings: `siblingsOf` names the order, `position` the place in it. */
export type Sibling = { _id: string; siblingsOf: string; position: string; isDeleted?: boolean };
export type SiblingModel = Model<Sibling>;

/**
 * Collections and spaces share one order, in a collection and at the organization's root. A deleted space
 * keeps its place.
 */
export const siblingModels = [Collection, Space] as unknown as readonly SiblingModel[];

/** Returns a position after all siblings. */
export async function positionAtEnd(
  models: readonly SiblingModel[],
  siblingsOf: string,
  session?: ClientSession,
): Promise<string> {
  let last: string | undefined;
  for (const model of models) {
    const found = await model
      .findOne({ siblingsOf }, { position: 1 })
      .sort({ position: -1 })
      .session(session ?? null)
      .lean<Sibling>();
    if (found && (last === undefined || found.position > last)) last = found.position;
  }
  return positionBetween(last, undefined);
}
