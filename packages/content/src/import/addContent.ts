import { ApiError, notFound } from '@bindery/contract';
import {
  ChangeRequest,
  publishRevision,
  Revision,
  Space,
  touchChangeRequest,
  type ChangeRequestRecord,
  type ClientSession,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { insertRevision, loadFiles, loadReusableContents, prepareChangedRevision } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import { slugForTitle } from '../edit/places.ts';
import { placePage, type NewContent } from './newPage.ts';

export type AddedContent = NewContent & {
  /** The main content, or a change request of the space. */
  target: { space: string; changeRequest?: string | undefined };
  /** The page below which they come, last of all; absent for the root. */
  into?: string | undefined;
  /** Id that the revision gets, where it has to be known before. */
  revision?: string | undefined;
  createdBy: string;
};

/**
 * Adds pages behind those that are there, in one revision of the type `edits`, as part of the caller's transaction.
 *
 * It begins with what the transaction sees, so whoever came in between is never overwritten: the transaction is run again, and what has to be
 * done again is this only. What is stored before the transaction commits are nodes, under their hashes.
 * @throws not_found when the target is gone; precondition_failed for the main content of a locked space; conflict for a merged change request;
 *   invalid_request when the page to add to is not there
 */
export async function addContent(added: AddedContent, session: ClientSession): Promise<RevisionRecord> {
  const { target, createdBy } = added;
  const space = await Space.findOne({ _id: target.space, isDeleted: false }).session(session).lean<SpaceRecord>();
  if (!space) throw notFound('space', target.space);
  const changeRequest = await findChangeRequest(space, target.changeRequest, session);
  refuseClosed({ space, changeRequest });
  const from = changeRequest?.revision ?? space.revision;
  const base = await Revision.findOne({ _id: from }).session(session).lean<RevisionRecord>();
  if (!base) throw new Error(`Space ${space._id} has lost its revision ${from}.`);

  const prepared = await prepareAddition(base, added);
  const revision = { ...prepared, ...(added.revision !== undefined && { _id: added.revision }) };
  await insertRevision(revision, session);
  const isTaken = changeRequest
    ? await moveChangeRequest(changeRequest, { to: revision._id, by: createdBy }, session)
    : await publishRevision({ space, from, to: revision._id, by: createdBy }, session);
  // Cannot be: the transaction has read what it compares with.
  if (!isTaken) throw new Error(`The content of space ${space._id} moved on inside of a transaction.`);
  return revision;
}

/**
 * @throws precondition_failed for the main content of a locked space; conflict for a merged change request
 */
export function refuseClosed({
  space,
  changeRequest,
}: {
  space: Pick<SpaceRecord, 'editMode'>;
  changeRequest?: Pick<ChangeRequestRecord, 'status'> | undefined;
}): void {
  if (changeRequest?.status === 'merged')
    throw new ApiError('conflict', 'The change request is merged: its content is final.', { action: 'Make another change request.' });
  if (!changeRequest && space.editMode === 'locked')
    throw new ApiError('precondition_failed', 'The space is locked: its main content changes by change requests only.', {
      action: 'Make a change request and add the content to that.',
    });
}

async function findChangeRequest(
  space: SpaceRecord,
  id: string | undefined,
  session: ClientSession,
): Promise<ChangeRequestRecord | undefined> {
  if (id === undefined) return undefined;
  const changeRequest = await ChangeRequest.findOne({ _id: id, space: space._id }).session(session).lean<ChangeRequestRecord>();
  if (!changeRequest) throw notFound('change request', id);
  return changeRequest;
}

async function prepareAddition(
  base: RevisionRecord,
  { pages, files, reusableContents, into: page, createdBy }: AddedContent,
): Promise<RevisionRecord> {
  const into = page ?? null;
  const edit = (await openTree(base.organization, base.pages)).edit();
  const above = into === null ? undefined : edit.page(into);
  if (into !== null && !(above && 'path' in above.page))
    throw new ApiError('invalid_request', 'The page below which the content was to come is not there any more.');
  const path = above && 'path' in above.page ? above.page.path : '';
  const time = new Date().toISOString();
  const slugOf = (title: string) => slugForTitle(edit, title, { into });
  for (const page of pages) edit.insert(placePage(page, { path, slugOf, time }, into !== null), { into });
  const { root } = await edit.write();
  const { revision } = await prepareChangedRevision(base, {
    type: 'edits',
    parents: [base._id],
    createdBy,
    pages: root,
    ...(files.length > 0 && { files: [...(await loadFiles(base)), ...files] }),
    ...(reusableContents.length > 0 && { reusableContents: [...(await loadReusableContents(base)), ...reusableContents] }),
  });
  return revision;
}

async function moveChangeRequest(
  { _id, revision: from }: ChangeRequestRecord,
  { to, by }: { to: string; by: string },
  session: ClientSession,
): Promise<boolean> {
  const { matchedCount } = await ChangeRequest.updateOne(
    { _id, revision: from, status: { $ne: 'merged' } },
    { $set: { revision: to }, $inc: { version: 1 } },
    { session },
  );
  if (matchedCount !== 1) return false;
  await touchChangeRequest(_id, { at: new Date(), by: { user: by, actionType: 'edit' } }, session);
  return true;
}
