import { findRevision, newRevision } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import type { UnrecordedPush } from '../../child/unrecordedPush.ts';
import { revisionGit } from '../revisionGit.ts';
import { findUnrecordedPush, type PushSearch } from './pushCheckpoint.ts';

/** A merge that an export pushed without recording it. */
export type PushedMerge = {
  /** The merged revision of the space: whatever the space has more than that is newer than the branch. */
  base: RevisionRecord;
  /** The content of the branch, not inserted. */
  branch: RevisionRecord;
  commit: string;
  folder: string;
};

type Search = PushSearch & {
  input: Parameters<typeof revisionGit>[0];
  run: { job: { startedBy: string } };
};

/** Finds the merge that an export pushed as this commit, unless a sync has happened since. */
export async function findPushedMerge(
  push: UnrecordedPush,
  search: Search,
): Promise<PushedMerge | undefined> {
  const { input, run, space } = search;
  const found = await findUnrecordedPush(push, search, { isMerge: true });
  if (!found?.merge || found.folder === undefined) return undefined;
  const base = await findRevision(space._id, found.exported);
  if (!base) return undefined;
  const { commit, folder, message, placed, merge } = found;
  const branch = newRevision({
    ...merge.merged,
    ...placed,
    type: 'edits',
    parents: [base._id],
    createdBy: run.job.startedBy,
    git: revisionGit(input, { oid: commit, message, createdByDocs: true }),
  });
  return { base, branch, commit, folder };
}
