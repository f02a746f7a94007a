import { createSpace, type NewSpace } from '@bindery/content';
import { acceptJob, gitJobs } from '@bindery/jobs';
import {
  accessBelow,
  Collection,
  jobCollection,
  refreshAccess,
  positionAtEnd,
  siblingModels,
  Space,
  withTransaction,
  type CollectionRecord,
  type JobLogLine,
  type JobRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { importRequest } from '../importRequest.ts';
import { addLog } from '../processes/loggedJob.ts';

/** Creates a space with its first page; fields that creation cannot set are written afterwards. */
export async function buildSpace(
  organization: OrganizationRecord,
  { title = 'Space', createdBy = 'nobody', ...fields }: Partial<SpaceRecord> & Partial<NewSpace> = {},
): Promise<SpaceRecord> {
  const space = await createSpace({
    organization: organization._id,
    createdBy,
    title,
    ...(fields.parent !== undefined && { parent: fields.parent }),
  });
  return Object.keys(fields).length > 0 ? changeSpace(space, fields) : space;
}

export async function changeSpace(space: SpaceRecord, fields: Partial<SpaceRecord>): Promise<SpaceRecord> {
  const all = { ...fields, ...(fields.deletedAt && { isDeleted: true }) };
  await Space.updateOne({ _id: space._id }, { $set: all });
  if (fields.defaultLevel !== undefined)
    await withTransaction((session) => refreshAccess([space._id], session));
  return (await Space.findById(space._id).lean<SpaceRecord>()) ?? { ...space, ...all };
}

/**
 * Accepts a git import through the job layer; then writes `fields` into its record, and the lines into its
 * log.
 */
export async function buildJob(
  space: SpaceRecord,
  { log = [], ...fields }: Partial<JobRecord> & { log?: readonly JobLogLine[] } = {},
): Promise<JobRecord> {
  const job = await acceptJob(gitJobs.importRepository, importRequest(space));
  // A lane of its own, because several jobs of one space may run here.
  const changes = { lane: job._id, ...fields };
  await jobCollection().updateOne({ _id: job._id }, { $set: changes });
  if (log.length > 0) await addLog(job, log);
  return { ...job, ...changes };
}

/** Creates a collection after everything else in its parent. */
export async function buildCollection(
  organization: OrganizationRecord,
  { title = 'Collection', parent, defaultLevel = 'inherit', ...fields }: Partial<CollectionRecord> = {},
): Promise<CollectionRecord> {
  const above = parent === undefined ? undefined : await Collection.findById(parent).lean<CollectionRecord>();
  const siblingsOf = parent ?? organization._id;
  const now = new Date();
  const collection: CollectionRecord = {
    _id: newId(),
    organization: organization._id,
    title,
    ...(parent !== undefined && { parent }),
    ancestors: above ? [...above.ancestors, above._id] : [],
    siblingsOf,
    position: await positionAtEnd(siblingModels, siblingsOf),
    defaultLevel,
    access: accessBelow(above?.access, { defaultLevel }),
    version: 1,
    createdBy: 'nobody',
    createdAt: now,
    updatedAt: now,
    ...fields,
  };
  await Collection.create(collection);
  return collection;
}
