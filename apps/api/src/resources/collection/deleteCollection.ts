import { notFound } from '@bindery/contract';
import { cancelJobsAbout } from '@bindery/jobs';
import {
  changeTree,
  Collection,
  Grant,
  holdTree,
  Invite,
  positionAtEnd,
  positionBetween,
  siblingModels,
  Space,
  type ClientSession,
  type CollectionRecord,
  type GrantRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';

/**
 * Deletes a collection and all collections in it. Spaces in them are deleted like single ones: they can be
 * restored, to the root.
 *
 * Access to these spaces stays the same: grants and levels from the collections are copied to them.
 * Otherwise, restoring a space that its collection had closed would open it to all members, and users who
 * worked in it could no longer see it.
 */
export async function deleteCollection({
  _id,
  organization,
}: Pick<CollectionRecord, '_id' | 'organization'>): Promise<void> {
  const deleted = await changeTree(organization, async (session) => {
    await holdTree([_id], session);
    const collection = await Collection.findOne({ _id, organization })
      .session(session)
      .lean<CollectionRecord>();
    if (!collection) throw notFound('collection', _id);
    const removed = [_id, ...(await Collection.distinct('_id', { ancestors: _id }).session(session))];
    const spaces = await Space.find({ ancestors: _id })
      .sort({ createdAt: 1, _id: 1 })
      .session(session)
      .lean<SpaceRecord[]>();
    await keepGrants(spaces, [...collection.ancestors, ...removed], session);
    await deleteAtRoot(organization, spaces, session);
    await Collection.deleteMany({ _id: { $in: removed } }, { session });
    await Grant.deleteMany({ target: { $in: removed } }, { session });
    await Invite.deleteMany({ organization, 'target.id': { $in: removed } }, { session });
    return spaces.map((space) => space._id);
  });
  await cancelJobsAbout(deleted);
}

/** Copies the grants that spaces inherited from these collections to the spaces. */
async function keepGrants(
  spaces: readonly SpaceRecord[],
  collections: readonly string[],
  session: ClientSession,
): Promise<void> {
  const above = await Grant.find({ target: { $in: collections } })
    .session(session)
    .lean<GrantRecord[]>();
  const typeOf = new Map(above.map(({ principal, principalType }) => [principal, principalType]));
  const createdAt = new Date();
  const writes = spaces.flatMap(({ _id: target, organization, access }) =>
    access.grants.flatMap(({ to: principal, role }) => {
      const principalType = typeOf.get(principal);
      if (!principalType) return [];
      const $setOnInsert = {
        _id: newId(),
        organization,
        targetType: 'space' as const,
        principalType,
        createdAt,
      };
      return {
        updateOne: { filter: { target, principal }, update: { $set: { role }, $setOnInsert }, upsert: true },
      };
    }),
  );
  if (writes.length > 0) await Grant.bulkWrite(writes, { session });
}

async function deleteAtRoot(
  organization: string,
  spaces: readonly SpaceRecord[],
  session: ClientSession,
): Promise<void> {
  let position = await positionAtEnd(siblingModels, organization, session);
  const writes = spaces.map(({ _id, isDeleted, defaultLevel, access }) => {
    const place = { siblingsOf: organization, ancestors: [], position };
    position = positionBetween(position, undefined);
    const level = defaultLevel === 'inherit' ? access.level : defaultLevel;
    const update = {
      $set: { ...place, defaultLevel: level, ...(!isDeleted && { isDeleted: true }) },
      $unset: { parent: 1 as const },
      ...(!isDeleted && { $currentDate: { deletedAt: true as const, updatedAt: true as const } }),
      $inc: { version: 1 },
    };
    return { updateOne: { filter: { _id }, update } };
  });
  if (writes.length > 0) await Space.bulkWrite(writes, { session });
}
