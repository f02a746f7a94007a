import { ApiError, notFound } from '@bindery/contract';
import { cancelJobsAbout } from '@bindery/jobs';
import { deletedSpaceRetentionDays, Space, type SpaceRecord } from '@bindery/models';

/** Deletes a space, so that it can be restored for some days; one that is deleted already keeps its time. What is done in it at the moment ends. */
export async function deleteSpace({ _id, organization }: SpaceRecord): Promise<void> {
  await Space.updateOne(
    { _id, organization, isDeleted: false },
    { $set: { isDeleted: true }, $currentDate: { deletedAt: true, updatedAt: true }, $inc: { version: 1 } },
  );
  await cancelJobsAbout([_id]);
}

/**
 * Brings a deleted space back to its place. Its time is MongoDB's, as that of the purge is.
 *
 * @throws conflict when it is not deleted; not_found when it is too late
 */
export async function restoreSpace({ _id, organization }: SpaceRecord): Promise<SpaceRecord> {
  const oldest = { $dateSubtract: { startDate: '$$NOW', unit: 'day', amount: deletedSpaceRetentionDays } };
  const restored = await Space.findOneAndUpdate(
    { _id, organization, isDeleted: true, purgeStartedAt: { $exists: false }, $expr: { $gt: ['$deletedAt', oldest] } },
    { $set: { isDeleted: false }, $unset: { deletedAt: 1 }, $currentDate: { updatedAt: true }, $inc: { version: 1 } },
    { returnDocument: 'after' },
  ).lean<SpaceRecord>();
  if (restored) return restored;
  if (await Space.exists({ _id, organization, isDeleted: false })) {
    throw new ApiError('conflict', 'The space is not deleted: there is nothing to restore.');
  }
  throw notFound('space', _id);
}
