import { notFound } from '@bindery/contract';
import {
  insertChangeRequest,
  serialized,
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
 * @returns the change request, and the updated space
 */
export async function createChangeRequest({
  space,
  createdBy,
  subject = '',
  agentTaskId,
}: NewChangeRequest): Promise<{ changeRequest: ChangeRequestRecord; space: SpaceRecord }> {
  return serialized(`space:${space}`, () =>
    withTransaction(async (session) => {
      const fields = { _id: newId(), status: 'draft' as const, space, createdBy, subject, agentTaskId };
      const created = await insertChangeRequest(fields, session);
      if (!created) throw notFound('space', space);
      return created;
    }),
  );
}
