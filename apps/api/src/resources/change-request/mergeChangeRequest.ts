import { insertRevision } from '@bindery/content';
import type { MergeChangeRequest, MergedChangeRequest } from '@bindery/contract';
import {
  ChangeRequest,
  GitSyncPoint,
  Overtaken,
  publishRevision,
  serialized,
  Space,
  statusCounters,
  withTransaction,
  type ChangeRequestGitRecord,
  type ChangeRequestRecord,
  type ClientSession,
  type MergedFromRecord,
} from '@bindery/models';
import { combineContent, type Combined } from './combineContent.ts';

/**
 * Merges a change request: its content, combined with later changes of the main content, becomes the main
 * content of the space. The change request becomes `merged`, whatever its status was; there is a new revision
 * even without differences.
 *
 * @param options.revisions  those that may be merged; any when undefined
 * @returns the revision, and the conflicts: where both sides changed the same thing, it has the version of
 *   the change request
 * @throws conflict when it is already merged, or has other revisions; not_found when the space was deleted
 */
export async function mergeChangeRequest(
  changeRequest: ChangeRequestRecord,
  { by, revisions }: { by: string } & MergeChangeRequest,
): Promise<MergedChangeRequest> {
  const { revision, conflicts } = await serialized(`content:${changeRequest.space}`, () =>
    combineContent(changeRequest, { type: 'merge', createdBy: by, settle: { revisions } }, (combined) =>
      serialized(`space:${changeRequest.space}`, () =>
        withTransaction((session) => write(combined, session)),
      ),
    ),
  );
  return {
    revision: revision._id,
    ...(conflicts.length > 0 ? { result: 'conflicts', conflicts } : { result: 'merge' }),
  };
}

/** @throws Overtaken when the space or the change request has changed since the merge was computed */
async function write({ space, changeRequest, revision }: Combined, session: ClientSession): Promise<void> {
  const now = new Date();
  const { _id, revision: merged, organization } = changeRequest;
  const before = await ChangeRequest.findOneAndUpdate(
    { _id, organization, revision: merged, status: { $ne: 'merged' } },
    {
      $set: { status: 'merged', revisionMerged: revision._id },
      $max: { updatedAt: now },
      $inc: { version: 1 },
    },
    { returnDocument: 'before', session },
  ).lean<ChangeRequestRecord>();
  if (
    !before ||
    !(await publishRevision(
      { space, from: space.revision, to: revision._id, by: revision.createdBy },
      session,
    ))
  )
    throw new Overtaken();
  if (before.git) await followCommit(before.git, session);
  const mergedFrom = asMerged(before, { revision: revision._id, at: now });
  await insertRevision({ ...revision, mergedFrom }, session);
  const counters = statusCounters(before.status, 'merged');
  if (Object.keys(counters).length > 0)
    await Space.updateOne({ _id: space._id }, { $inc: counters }, { session });
}

/**
 * Records that the space has the content of the commit that the change request was opened with: the next
 * export is a fast-forward, and the next import brings only later commits. A later sync has done so already.
 */
async function followCommit(
  { point, since, commit, folder, revision }: ChangeRequestGitRecord,
  session: ClientSession,
): Promise<void> {
  await GitSyncPoint.updateOne(
    { _id: point, commit: since },
    {
      $set: { commit, revision, updatedAt: new Date(), ...(folder !== undefined && { folder }) },
      ...(folder === undefined && { $unset: { folder: 1 } }),
    },
    { session },
  );
}

/** The data of the change request that is stored with the revision. */
function asMerged(
  record: ChangeRequestRecord,
  { revision, at }: { revision: string; at: Date },
): MergedFromRecord {
  const {
    _id,
    space,
    number,
    subject,
    createdBy,
    createdAt,
    comments,
    revisionInitial,
    revisionMergedAncestor,
  } = record;
  return {
    ...{
      _id,
      space,
      number,
      subject,
      createdBy,
      createdAt,
      comments,
      revisionInitial,
      revision: record.revision,
    },
    revisionMergedAncestor,
    status: 'merged',
    revisionMerged: revision,
    updatedAt: record.updatedAt > at ? record.updatedAt : at,
  };
}
