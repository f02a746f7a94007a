import { loadRevision, prepareMergedRevision, type MergedRevisions } from '@bindery/content';
import { ApiError, notFound, type MergeChangeRequest, type UpdateFromMainContent } from '@bindery/contract';
import {
  ChangeRequest,
  GitSyncPoint,
  retryOptimistic,
  Space,
  type ChangeRequestRecord,
  type GitSyncPointRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { choicesOf, requireRevisions, requireSettled } from './settleConflicts.ts';

/** A change request, its space, and the revision that has the content of both. */
export type Combined = {
  space: SpaceRecord;
  changeRequest: ChangeRequestRecord;
  revision: RevisionRecord;
  conflicts: MergedRevisions['conflicts'];
};

/**
 * Merges the content of a change request and that of its space into a new revision, and has `write` store it.
 *
 * The merge is computed before the transaction, from the present content of both. `write` stores it only if
 * neither has changed since; otherwise the merge is computed again. Where both sides changed the same thing,
 * the version of the change request wins, unless `settle` says otherwise.
 *
 * @param write  throws Overtaken when the content of either has changed
 * @throws conflict when the change request is merged, when `settle` is for other revisions, or when others
 *   keep changing the content; invalid_request when `settle` does not fit the conflicts
 */
export async function combineContent(
  { _id: id, space: spaceId }: Pick<ChangeRequestRecord, '_id' | 'space'>,
  options: CombineOptions,
  write: (combined: Combined) => Promise<void>,
): Promise<Combined> {
  return retryOptimistic({
    attempts: 8,
    attempt: async () => {
      const combined = await combine(await loadSides({ _id: id, space: spaceId }), options);
      await write(combined);
      return combined;
    },
    refusal: () =>
      new ApiError('conflict', 'The content changed repeatedly during the merge; nothing was changed.', {
        action: 'Send the request again in a moment.',
      }),
  });
}

type CombineOptions = {
  type: 'merge' | 'update';
  createdBy: string;
  settle: MergeChangeRequest & Omit<UpdateFromMainContent, 'revisions'>;
};

/** A change request, its space, and the revisions to merge: `ours` is the main content. */
type MergeSides = Pick<Combined, 'space' | 'changeRequest'> & {
  states: Record<'base' | 'ours' | 'theirs', RevisionRecord>;
};

/** @throws conflict when the change request is merged; not_found when it or its space was deleted */
export async function loadSides({
  _id: id,
  space: spaceId,
}: Pick<ChangeRequestRecord, '_id' | 'space'>): Promise<MergeSides> {
  const [space, changeRequest] = await Promise.all([
    Space.findOne({ _id: spaceId, isDeleted: false }).lean<SpaceRecord>(),
    ChangeRequest.findOne({ _id: id, space: spaceId }).lean<ChangeRequestRecord>(),
  ]);
  if (!space) throw notFound('space', spaceId);
  if (!changeRequest) throw notFound('change request', id);
  if (changeRequest.status === 'merged') throw alreadyMerged();
  const load = async (revision: string) => loadRevision(spaceId, revision);
  const [base, ours, theirs] = await Promise.all([
    baseNow(changeRequest).then(load),
    load(space.revision),
    load(changeRequest.revision),
  ]);
  return { space, changeRequest, states: { base, ours, theirs } };
}

function alreadyMerged(): ApiError {
  return new ApiError('conflict', 'The change request is merged: its content is final.', {
    action: 'Make a new change request for further changes.',
  });
}

async function combine(
  { space, changeRequest, states }: MergeSides,
  { type, createdBy, settle }: CombineOptions,
): Promise<Combined> {
  requireRevisions(settle.revisions, states);
  const choices = choicesOf(settle);
  const parents =
    type === 'merge' ? [space.revision, changeRequest.revision] : [changeRequest.revision, space.revision];
  const { format } = states.ours;
  const { revision, ...merged } = await prepareMergedRevision(
    states,
    { type, parents, createdBy, format },
    { choices },
  );
  if (choices) requireSettled(merged);
  return { space, changeRequest, revision, conflicts: merged.conflicts };
}

/**
 * The common base of both sides: the revision of the main content that the change request was created from or
 * last updated to.
 */
export function baseOf({ revisionMergedAncestor, revisionInitial }: ChangeRequestRecord): string {
  return revisionMergedAncestor ?? revisionInitial;
}

/**
 * The base of a merge now. If the space and the branch have been in sync since the change request was opened
 * with the content of the branch, that content is settled: it must not take the place of what the branch has
 * now. The edits of the change request remain.
 */
async function baseNow(changeRequest: ChangeRequestRecord): Promise<string> {
  const { git, revisionMergedAncestor } = changeRequest;
  if (!git || revisionMergedAncestor !== undefined) return baseOf(changeRequest);
  const point = await GitSyncPoint.findById(git.point, { commit: 1 }).lean<
    Pick<GitSyncPointRecord, 'commit'>
  >();
  return point && point.commit !== git.since ? git.revision : baseOf(changeRequest);
}
