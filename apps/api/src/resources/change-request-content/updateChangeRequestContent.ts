import {
  applyChanges,
  loadRevision,
  insertRevision,
  type AppliedChanges,
  type FileItem,
} from '@bindery/content';
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
import type { Platform } from '../../platform.ts';
import { storeFiles } from './storeFiles.ts';

type Edited = AppliedChanges & { changeRequest: ChangeRequestRecord };

/**
 * Applies a batch of changes to the content of a change request as one new revision, all or none.
 *
 * When the content has changed since it was read, the changes are applied again to the newer content, which
 * may refuse them.
 *
 * @throws invalid_request that names the change that cannot be applied; conflict for a merged change request,
 *   or when others keep changing the content
 */
export async function updateChangeRequestContent(
  { _id: id }: ChangeRequestRecord,
  changes: readonly ContentChange[],
  { platform, editedBy }: { platform: Platform; editedBy: string },
): Promise<Edited> {
  const { organization } = await loadOpen(id);
  // Stored before the lock is taken: fetching may take long, and the files are invisible until the revision
  // names them.
  const files = await storeFiles(platform, { organization, changes });
  return serialized(`change-request:${id}`, async () =>
    retryOptimistic({
      attempts: 10,
      attempt: async () => {
        const changeRequest = await loadOpen(id);
        // The files were stored in the organization that the change request belonged to.
        if (changeRequest.organization !== organization) throw keepsChanging();
        return edit(changeRequest, changes, { files, editedBy });
      },
      refusal: keepsChanging,
    }),
  );
}

function keepsChanging(): ApiError {
  return new ApiError(
    'conflict',
    'Others keep changing the content of the change request; nothing was changed.',
    {
      action: 'Send the request again.',
      headers: { 'Retry-After': '1' },
    },
  );
}

async function loadOpen(id: string): Promise<ChangeRequestRecord> {
  const changeRequest = await ChangeRequest.findById(id).lean<ChangeRequestRecord>();
  if (!changeRequest) throw notFound('change request', id);
  if (changeRequest.status === 'merged')
    throw new ApiError('conflict', 'The change request is merged: its content is final.', {
      action: 'Make a new change request.',
    });
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
  const applied = await applyChanges(base, changes, {
    revertTo: revisionMergedAncestor ?? revisionInitial,
    files,
    createdBy: editedBy,
  });
  const { revision } = applied;
  return withTransaction(async (session) => {
    const { matchedCount } = await ChangeRequest.updateOne(
      { _id, organization, revision: from, status: { $ne: 'merged' } },
      { $set: { revision: revision._id }, $inc: { version: 1 } },
      { session },
    );
    if (matchedCount !== 1) throw new Overtaken();
    await insertRevision(revision, session);
    await touchChangeRequest(
      _id,
      { at: revision.createdAt, by: { user: editedBy, actionType: 'edit' } },
      session,
    );
    const edited = await ChangeRequest.findById(_id).session(session).lean<ChangeRequestRecord>();
    if (!edited) throw notFound('change request', _id);
    return { ...applied, changeRequest: edited };
  });
}
