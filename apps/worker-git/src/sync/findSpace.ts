import { JobError } from '@bindery/contract';
import { Space, type SpaceRecord } from '@bindery/models';

/** Finds the space of a job. @throws JobError not_found when it has been deleted */
export async function findSpace(id: string): Promise<SpaceRecord> {
  const space = await Space.findOne({ _id: id, deletedAt: { $exists: false } }).lean<SpaceRecord>();
  if (!space) throw new JobError('not_found', 'The space no longer exists.');
  return space;
}
