import { applyChanges, loadRevision, insertRevision, type AppliedChanges, type FileItem } from '@bindery/content';
import { ApiError, notFound, type ContentChange } from '@bindery/contract';
import {
  ChangeRequest,
  Overtaken,
  retryOptimistic,
  serialized,
  touchChangeRequest,
  withTransaction,
  type ChangeRequestRecord,
} from '@bindery/models';
import { storeFiles } from './storeFiles.ts';

type Edited = AppliedChanges & { changeRequest: ChangeRequestRecord };

/**
 * Applies a batch of changes to the content of a change request, as one new revision; all or none.
 *
 * The changes are applied to the content that was read, and written only if it has not changed since; otherwise they are applied to the newer
 * content, which may refuse them.
 *
 * @throws invalid_request naming the change that cannot be made; conflict for a merged one, or when others are always quicker
 */
export async function updateChangeRequestContent(
  { _id: id }: ChangeRequestRecord,
  changes: readonly ContentChange[],
  { editedBy }: { editedBy: string },
): Promise<Edited> {
  const { organization } = await loadOpen(id);
  // Before it waits for its turn: fetching may take a while, and files are not seen by anybody yet.
  const files = await storeFiles(organization, changes);
  return serialized(`change-request:${id}`, async () =>
    retryOptimistic({
      attempts: 10,
      attempt: async () => {
        const changeRequest = await loadOpen(id);
        // The files were stored for the organization that it was in.
        if (changeRequest.organization !== organization) throw keepsChanging();
        return edit(changeRequest, changes, { files, editedBy });
      },
      refusal: keepsChanging,
    }),
  );
}

function keepsChanging(): ApiError {
  return new ApiError('conflict', 'Others keep changing the content of the change request; nothing was changed.', {
    action: 'Send the request again.',
    headers: { 'Retry-After': '1' },
  });
}

async function loadOpen(id: string): Promise<ChangeRequestRecord> {
  const changeRequest = await ChangeRequest.findById(id).lean<ChangeRequestRecord>();
  if (!changeRequest) throw notFound('change request', id);
  if (changeRequest.status === 'merged')
    throw new ApiError('conflict', 'The change request is merged: its content is final.', { action: 'Make a new change request.' });
  return changeRequest;
}

/** @throws Overtaken when the content has changed since it was read */
async function edit(
  changeRequest: ChangeRequestRecord,
  changes: readonly ContentChange[],
  { files, editedBy }: { files: ReadonlyMap<number, FileItem[]>; editedBy: string },
): Promise<Edited> {
  const { _id, organization, space, revision: from, revisionInitial, revisionMergedAncestor } = changeRequest;
  const base = await loadRevision(space, from);
  const applied = await applyChanges(base, changes, { revertTo: revisionMergedAncestor ?? revisionInitial, files, createdBy: editedBy });
  const { revision } = applied;
  return withTransaction(async (session) => {
    const { matchedCount } = await ChangeRequest.updateOne(
      { _id, organization, revision: from, status: { $ne: 'merged' } },
      { $set: { revision: revision._id }, $inc: { version: 1 } },
      { session },
    );
    if (matchedCount !== 1) throw new Overtaken();
    await insertRevision(revision, session);
    await touchChangeRequest(_id, { at: revision.createdAt, by: { user: editedBy, actionType: 'edit' } }, session);
    const edited = await ChangeRequest.findById(_id).session(session).lean<ChangeRequestRecord>();
    if (!edited) throw notFound('change request', _id);
    return { ...applied, changeRequest: edited };
  });
}
