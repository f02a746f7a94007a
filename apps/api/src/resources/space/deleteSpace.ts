import { ApiError, notFound } from '@bindery/contract';
import { cancelJobsAbout } from '@bindery/jobs';
import { deletedSpaceRetentionDays, singleWrite, Space, type SpaceRecord } from '@bindery/models';

/**
 * Deletes a space, which can be restored for some days; a space that is already deleted keeps its time.
 * Cancels the unfinished jobs in it.
 */
export async function deleteSpace({ _id, organization }: SpaceRecord): Promise<void> {
  const update = {
    $set: { isDeleted: true },
    $currentDate: { deletedAt: true, updatedAt: true },
    $inc: { version: 1 },
  } as const;
  await singleWrite((session) =>
    Space.updateOne({ _id, organization, isDeleted: false }, update, { session }),
  );
  await cancelJobsAbout([_id]);
}

/**
 * Restores a deleted space to its place. Uses the clock of MongoDB, as the purge does.
 *
 * @throws conflict when it is not deleted; not_found when it is too late
 */
export async function restoreSpace({ _id, organization }: SpaceRecord): Promise<SpaceRecord> {
  const oldest = { $dateSubtract: { startDate: '$$NOW', unit: 'day', amount: deletedSpaceRetentionDays } };
  const restorable = {
    isDeleted: true,
    purgeStartedAt: { $exists: false },
    $expr: { $gt: ['$deletedAt', oldest] },
  };
  const update = {
    $set: { isDeleted: false },
    $unset: { deletedAt: 1 },
    $currentDate: { updatedAt: true },
    $inc: { version: 1 },
  } as const;
  const restored = await singleWrite((session) =>
    Space.findOneAndUpdate({ _id, organization, ...restorable }, update, {
      returnDocument: 'after',
      session,
    }).lean<SpaceRecord>(),
  );
  if (restored) return restored;
  if (await Space.exists({ _id, organization, isDeleted: false })) {
    throw new ApiError('conflict', 'The space is not deleted: there is nothing to restore.');
  }
  throw notFound('space', _id);
}
