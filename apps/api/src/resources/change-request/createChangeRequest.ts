import { notFound } from '@bindery/contract';
import {
  ChangeRequest,
  serialized,
  Space,
  statusCounters,
  withTransaction,
  type ChangeRequestRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';

export type NewChangeRequest = {
  space: string;
  createdBy: string;
  subject?: string | undefined;
  agentTaskId?: string | undefined;
};

/**
 * Creates a change request from the main content of a space, with the next number of the space.
 *
 * The write that increments the counter assigns the number, so numbers are unique and have no gaps.
 * @returns the change request, and the updated space
 */
export async function createChangeRequest({
  space: spaceId,
  createdBy,
  subject = '',
  agentTaskId,
}: NewChangeRequest): Promise<{ changeRequest: ChangeRequestRecord; space: SpaceRecord }> {
  return serialized(`space:${spaceId}`, () =>
    withTransaction(async (session) => {
      const space = await Space.findOneAndUpdate(
        { _id: spaceId, isDeleted: false },
        { $inc: { lastChangeRequest: 1, ...statusCounters(undefined, 'draft') } },
        { returnDocument: 'after', session },
      ).lean<SpaceRecord>();
      if (!space) throw notFound('space', spaceId);
      const now = new Date();
      const changeRequest: ChangeRequestRecord = {
        _id: newId(),
        organization: space.organization,
        space: spaceId,
        number: space.lastChangeRequest,
        status: 'draft',
        subject,
        agentTaskId,
        revision: space.revision,
        revisionInitial: space.revision,
        comments: 0,
        contributors: [{ user: createdBy, actionType: 'edit', count: 1, updatedAt: now }],
        requestedReviewers: [],
        createdBy,
        createdAt: now,
        updatedAt: now,
        version: 1,
      };
      await ChangeRequest.create([changeRequest], { session });
      return { changeRequest, space };
    }),
  );
}
