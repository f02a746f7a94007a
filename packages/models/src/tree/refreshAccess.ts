import { accessBelow, type AccessRecord } from '../access/access.ts';
import { Collection, type CollectionRecord } from '../space/collection.ts';
import type { ClientSession } from '../database/connection.ts';
import { Grant, type GrantRecord } from '../access/grant.ts';
import { Organization } from '../organization/organization.ts';
import { Space, type SpaceRecord } from '../space/space.ts';

/**
 * Serializes changes to an organization's tree of collections. Call it first in each transaction that moves,
 * opens, closes or removes an object of the tree, or adds one to a collection: two concurrent transactions
 * would each read records that the other changes.
 */
export async function lockTree(organization: string, session: ClientSession): Promise<void> {
  await Organization.updateOne({ _id: organization }, { $inc: { treeVersion: 1 } }, { session });
}

/**
 * Locks these collections and spaces, and everything below them, for this transaction. Call it first in a
 * transaction that writes many of them.
 *
 * Other writers then wait. Without the lock, a write between the transaction's reads and its writes restarts
 * it, which never ends in a large collection in use.
 */
export async function holdTree(ids: readonly string[], session: ClientSession): Promise<void> {
  const below = atOrBelow(ids);
  await Space.updateMany(below, { $inc: { treeVersion: 1 } }, { session });
  await Collection.updateMany(below, { $inc: { treeVersion: 1 } }, { session });
}

/**
 * Recomputes the access of these collections and spaces, and of everything below them. Call `lockTree` first.
 */
export async function refreshAccess(ids: readonly string[], session: ClientSession): Promise<void> {
  const below = atOrBelow(ids);
  const collections = await Collection.find(below).session(session).lean<CollectionRecord[]>();
  const spaces = await Space.find(below, { parent: 1, defaultLevel: 1 })
    .session(session)
    .lean<SpaceRecord[]>();
  const parents = [...collections, ...spaces].flatMap(({ parent }) => (parent === undefined ? [] : [parent]));
  const known = new Map(collections.map((collection) => [collection._id, collection]));
  const above = await Collection.find({ _id: { $in: parents.filter((id) => !known.has(id)) } })
    .session(session)
    .lean<CollectionRecord[]>();
  const targets = [...collections, ...spaces].map(({ _id }) => _id);
  const grants = Map.groupBy(
    await Grant.find({ target: { $in: targets } })
      .session(session)
      .lean<GrantRecord[]>(),
    ({ target }) => target,
  );
  const fresh = new Map(above.map(({ _id, access }) => [_id, access]));
  const accessOf = (
    one: Pick<CollectionRecord | SpaceRecord, '_id' | 'parent' | 'defaultLevel'>,
  ): AccessRecord => {
    const done = fresh.get(one._id);
    if (done) return done;
    const parent =
      one.parent === undefined ? undefined : (fresh.get(one.parent) ?? accessOfParent(one.parent));
    const access = accessBelow(parent, { defaultLevel: one.defaultLevel, grants: grants.get(one._id) ?? [] });
    fresh.set(one._id, access);
    return access;
  };
  const accessOfParent = (id: string): AccessRecord | undefined => {
    const parent = known.get(id);
    return parent && accessOf(parent);
  };
  const write = (one: CollectionRecord | SpaceRecord) => ({
    updateOne: { filter: { _id: one._id }, update: { $set: { access: accessOf(one) } } },
  });
  if (collections.length > 0) await Collection.bulkWrite(collections.map(write), { session });
  if (spaces.length > 0) await Space.bulkWrite(spaces.map(write), { session });
}

function atOrBelow(ids: readonly string[]) {
  return { $or: [{ _id: { $in: ids } }, { ancestors: { $in: ids } }] };
}
