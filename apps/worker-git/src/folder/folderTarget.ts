import { JobError } from '@bindery/contract';
import {
  ChangeRequest,
  insertChangeRequest,
  touchChangeRequest,
  type ChangeRequestRecord,
  type ClientSession,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';

/** The change request that gets the content of a folder: one that is there already, or a new one. */
export type FolderTarget = { id: string; open?: ChangeRequestRecord };

/**
 * Finds the change request for the content of a folder: the given one, else the one that the user's last
 * import of a folder with this name opened, unless it has ended or somebody has edited it since.
 *
 * @throws JobError not_found when the given one is gone, conflict when it is merged
 */
export async function findFolderTarget({
  space,
  by,
  name,
  changeRequestId,
}: {
  space: SpaceRecord;
  by: string;
  name: string;
  changeRequestId?: string | undefined;
}): Promise<FolderTarget> {
  if (changeRequestId !== undefined) {
    const open = await ChangeRequest.findOne({
      _id: changeRequestId,
      space: space._id,
    }).lean<ChangeRequestRecord>();
    if (!open) throw new JobError('not_found', 'The change request no longer exists.');
    if (open.status === 'merged') throw merged();
    return { id: open._id, open };
  }
  const [newest] = await ChangeRequest.find({
    space: space._id,
    status: { $in: ['draft', 'open'] },
    createdBy: by,
    'folder.name': name,
  })
    .sort({ updatedAt: -1, _id: -1 })
    .limit(1)
    .lean<ChangeRequestRecord[]>();
  return newest && newest.folder?.revision === newest.revision
    ? { id: newest._id, open: newest }
    : { id: newId() };
}

function merged(): JobError {
  return new JobError('bad_content', 'The change request is merged: its content is final.', {
    action: 'Import the folder into another change request.',
  });
}

/**
 * Gives a revision to the change request, in the transaction that ends the import.
 *
 * @throws JobError transient when the change request or the space was changed meanwhile: the import starts
 *   over
 */
export async function saveFolderTarget(
  { id, open }: FolderTarget,
  content: {
    input: { name: string; subject: string };
    space: SpaceRecord;
    revision: RevisionRecord;
    /** Id of the revision that the new one is based on. */
    base: string;
  },
  session: ClientSession,
): Promise<void> {
  const { input, space, revision, base } = content;
  const { _id, createdBy } = revision;
  const { organization } = space;
  const folder = { name: input.name, revision: _id };
  if (!open) {
    const made = await insertChangeRequest(
      {
        _id: id,
        status: 'open',
        space: space._id,
        subject: input.subject,
        folder,
        createdBy,
        revision: _id,
        revisionInitial: base,
      },
      session,
    );
    if (made?.space.organization !== organization) throw overtaken();
    return;
  }
  const { matchedCount } = await ChangeRequest.updateOne(
    { _id: id, organization, revision: open.revision, status: open.status },
    { $set: { revision: _id, folder }, $inc: { version: 1 } },
    { session },
  );
  if (matchedCount !== 1) throw overtaken();
  const by = { user: createdBy, actionType: 'edit' as const };
  await touchChangeRequest(id, { at: new Date(), by }, session);
}

function overtaken(): JobError {
  return new JobError('internal', 'The change request was changed during the import, which starts over.', {
    class: 'transient',
  });
}
