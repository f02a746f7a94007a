import { loadRevision, prepareMergedRevision, type MergedRevisions } from '@bindery/content';
import { ApiError, notFound } from '@bindery/contract';
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
 * the version of the change request wins.
 *
 * @param write  throws Overtaken when the content of either has changed
 * @throws conflict when the change request is merged, or when others keep changing the content
 */
export async function combineContent(
  { _id: id, space: spaceId }: Pick<ChangeRequestRecord, '_id' | 'space'>,
  { type, createdBy }: { type: 'merge' | 'update'; createdBy: string },
  write: (combined: Combined) => Promise<void>,
): Promise<Combined> {
  return retryOptimistic({
    attempts: 8,
    attempt: async () => {
      const combined = await combine(await loadBoth(id, spaceId), { type, createdBy });
      await write(combined);
      return combined;
    },
    refusal: () =>
      new ApiError('conflict', 'The content changed repeatedly during the merge; nothing was changed.', {
        action: 'Send the request again in a moment.',
      }),
  });
}

async function loadBoth(id: string, spaceId: string): Promise<Pick<Combined, 'space' | 'changeRequest'>> {
  const [space, changeRequest] = await Promise.all([
    Space.findOne({ _id: spaceId, isDeleted: false }).lean<SpaceRecord>(),
    ChangeRequest.findOne({ _id: id, space: spaceId }).lean<ChangeRequestRecord>(),
  ]);
  if (!space) throw notFound('space', spaceId);
  if (!changeRequest) throw notFound('change request', id);
  if (changeRequest.status === 'merged') throw alreadyMerged();
  return { space, changeRequest };
}

function alreadyMerged(): ApiError {
  return new ApiError('conflict', 'The change request is merged: its content is final.', {
    action: 'Make a new change request for further changes.',
  });
}

async function combine(
  { space, changeRequest }: Pick<Combined, 'space' | 'changeRequest'>,
  { type, createdBy }: { type: 'merge' | 'update'; createdBy: string },
): Promise<Combined> {
  const [base, ours, theirs] = await Promise.all(
    [await baseNow(changeRequest), space.revision, changeRequest.revision].map(async (id) =>
      loadRevision(space._id, id),
    ),
  );
  const states = { base, ours, theirs } as Record<'base' | 'ours' | 'theirs', RevisionRecord>;
  const parents =
    type === 'merge' ? [space.revision, changeRequest.revision] : [changeRequest.revision, space.revision];
  const { format } = states.ours;
  const { revision, conflicts } = await prepareMergedRevision(states, { type, parents, createdBy, format });
  return { space, changeRequest, revision, conflicts };
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
  const point = await GitSyncPoint.findById(git.point).lean<GitSyncPointRecord>();
  return point && point.commit !== git.since ? git.revision : baseOf(changeRequest);
}
