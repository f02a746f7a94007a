import type { ClientSession } from '../database/connection.ts';
import { ChangeRequest, statusCounters, type ChangeRequestRecord } from './changeRequest.ts';
import { Space, type SpaceRecord } from './space.ts';

export type NewChangeRequest = Pick<
  ChangeRequestRecord,
  '_id' | 'status' | 'subject' | 'agentTaskId' | 'git' | 'folder' | 'createdBy'
> & {
  space: string;
  /** The revision with its content; by default the present one of the space. */
  revision?: string;
  /** The revision of the space that it changes; by default the present one. */
  revisionInitial?: string;
};

/**
 * Inserts a change request with the next number of its space, in a transaction.
 *
 * The write that increments the counter assigns the number, so numbers are unique and have no gaps.
 *
 * @returns the change request, and the updated space; undefined when the space is deleted
 */
export async function insertChangeRequest(
  { space: spaceId, revision, revisionInitial, ...fields }: NewChangeRequest,
  session: ClientSession,
): Promise<{ changeRequest: ChangeRequestRecord; space: SpaceRecord } | undefined> {
  const space = await Space.findOneAndUpdate(
    { _id: spaceId, isDeleted: false },
    { $inc: { lastChangeRequest: 1, ...statusCounters(undefined, fields.status) } },
    { returnDocument: 'after', session },
  ).lean<SpaceRecord>();
  if (!space) return undefined;
  const now = new Date();
  const changeRequest: ChangeRequestRecord = {
    ...fields,
    organization: space.organization,
    space: spaceId,
    number: space.lastChangeRequest,
    revision: revision ?? space.revision,
    revisionInitial: revisionInitial ?? space.revision,
    comments: 0,
    contributors: [{ user: fields.createdBy, actionType: 'edit', count: 1, updatedAt: now }],
    requestedReviewers: [],
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  await ChangeRequest.create([changeRequest], { session });
  return { changeRequest, space };
}
