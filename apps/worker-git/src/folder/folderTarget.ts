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
export type FolderTarget = {
  id: string;
  open?: ChangeRequestRecord;
  /** See `ChangeRequestFolderRecord`; absent if the user never pushed the folder before. */
  ancestor?: string;
};

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
  const newest = await findNewest({ space, by, name });
  if (changeRequestId !== undefined) {
    const open = await ChangeRequest.findOne({
      _id: changeRequestId,
      space: space._id,
    }).lean<ChangeRequestRecord>();
    if (!open) throw new JobError('not_found', 'The change request no longer exists.');
    if (open.status === 'merged') throw merged();
    return { id: open._id, open, ...ancestorOf(open.folder ? open : newest) };
  }
  const isCurrent = newest?.folder?.revision === newest?.revision;
  return newest && isCurrent && (newest.status === 'draft' || newest.status === 'open')
    ? { id: newest._id, open: newest, ...ancestorOf(newest) }
    : { id: newId(), ...ancestorOf(newest) };
}

/** Finds the change request that the user pushed the folder to last, however that ended. */
async function findNewest({
  space,
  by,
  name,
}: {
  space: SpaceRecord;
  by: string;
  name: string;
}): Promise<ChangeRequestRecord | undefined> {
  const [newest] = await ChangeRequest.find({ space: space._id, createdBy: by, 'folder.name': name })
    .sort({ number: -1 })
    .limit(1)
    .lean<ChangeRequestRecord[]>();
  return newest;
}

/** The content that the main content and the folder last had in common. */
function ancestorOf(request: ChangeRequestRecord | undefined): { ancestor?: string } {
  if (!request) return {};
  const { status, folder, revisionInitial } = request;
  // Without a merge, the main content never had what was pushed.
  return { ancestor: (status === 'merged' ? folder?.revision : folder?.ancestor) ?? revisionInitial };
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
  { id, open, ancestor }: FolderTarget,
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
  const folder = { name: input.name, revision: _id, ...(ancestor !== undefined && { ancestor }) };
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
