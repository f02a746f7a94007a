import { applyChanges, loadRevision, insertRevision, type AppliedChanges, type FileItem } from '@bindery/content';
import { ApiError, notFound, type ContentChange } from '@bindery/contract';
import { ChangeRequest, serialized, touchChangeRequest, withTransaction, type ChangeRequestRecord } from '@bindery/models';
import { storeFiles } from './storeFiles.ts';

/** So often a batch is made anew on content that others were quicker to change. */
const maxTries = 10;

type Edited = AppliedChanges & { changeRequest: ChangeRequestRecord };

/**
 * Applies a batch of changes to the content of a change request, as one new revision; all or none.
 *
 * It is made on the content that was read, and written only if that still is the content; else it is made anew on the newer one, which may refuse
 * it.
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
  return serialized(`change-request:${id}`, async () => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const changeRequest = await loadOpen(id);
      // Bytes are kept by organization.
      if (changeRequest.organization !== organization) break;
      const edited = await edit(changeRequest, changes, { files, editedBy });
      if (edited) return edited;
    }
    throw new ApiError('conflict', 'Others keep changing the content of the change request; nothing was changed.', {
      action: 'Send the request again.',
      headers: { 'Retry-After': '1' },
    });
  });
}

async function loadOpen(id: string): Promise<ChangeRequestRecord> {
  const changeRequest = await ChangeRequest.findById(id).lean<ChangeRequestRecord>();
  if (!changeRequest) throw notFound('change request', id);
  if (changeRequest.status === 'merged')
    throw new ApiError('conflict', 'The change request is merged: its content is final.', { action: 'Make a new change request.' });
  return changeRequest;
}

/** @returns undefined when somebody else was quicker */
async function edit(
  changeRequest: ChangeRequestRecord,
  changes: readonly ContentChange[],
  { files, editedBy }: { files: ReadonlyMap<number, FileItem[]>; editedBy: string },
): Promise<Edited | undefined> {
  const { _id, organization, space, revision: from, revisionInitial, revisionMergedAncestor } = changeRequest;
  const base = await loadRevision(space, from);
  const applied = await applyChanges(base, changes, { revertTo: revisionMergedAncestor ?? revisionInitial, files, createdBy: editedBy });
  const { revision } = applied;
  try {
    return await withTransaction(async (session) => {
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
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  }
}

class Overtaken extends Error {}
