import { insertRevision } from '@bindery/content';
import type { MergeConflict, UpdatedChangeRequest, UpdateFromMainContent } from '@bindery/contract';
import {
  ChangeRequest,
  Overtaken,
  serialized,
  Space,
  withTransaction,
  type ChangeRequestRecord,
  type ClientSession,
} from '@bindery/models';
import { combineContent, type Combined } from './combineContent.ts';

/**
 * Updates a change request from the main content of its space.
 *
 * Its content then equals the result of a merge; here too its own version wins where both sides changed the
 * same thing, unless `settle` says otherwise.
 * @returns the new revision of the change request, and the conflicts; `ours` is the change request
 * @throws conflict when it is merged, or `settle` is for other revisions; invalid_request when `settle` does
 *   not fit the conflicts
 */
export async function updateFromMainContent(
  changeRequest: ChangeRequestRecord,
  { by, settle }: { by: string; settle: UpdateFromMainContent },
): Promise<UpdatedChangeRequest> {
  const { revision, conflicts } = await serialized(`change-request:${changeRequest._id}`, () =>
    combineContent(changeRequest, { type: 'update', createdBy: by, settle }, async (combined) =>
      withTransaction((session) => write(combined, session)),
    ),
  );
  return {
    revision: revision._id,
    ...(conflicts.length > 0
      ? { result: 'conflicts', conflicts: conflicts.map(seenFromChangeRequest) }
      : { result: 'update' }),
  };
}

function seenFromChangeRequest({ ours, theirs, ...conflict }: MergeConflict): MergeConflict {
  return { ...conflict, ours: theirs, theirs: ours };
}

/** @throws Overtaken when the change request has changed since the merge was computed */
async function write({ space, changeRequest, revision }: Combined, session: ClientSession): Promise<void> {
  const { _id, organization, revision: from } = changeRequest;
  // The main content may change again, and the change request is then behind. But the space must exist in the
  // organization that stores the content.
  if (!(await Space.exists({ _id: space._id, organization, isDeleted: false }).session(session)))
    throw new Overtaken();
  const { matchedCount } = await ChangeRequest.updateOne(
    { _id, organization, revision: from, status: { $ne: 'merged' } },
    {
      $set: { revision: revision._id, revisionMergedAncestor: space.revision },
      $max: { updatedAt: new Date() },
      $inc: { version: 1 },
    },
    { session },
  );
  if (matchedCount !== 1) throw new Overtaken();
  await insertRevision(revision, session);
}
