import { findRevision, type ContentOfRevision } from '@bindery/content';
import type { GitMerge } from '@bindery/contract';
import { gitJobs } from '@bindery/jobs';
import { findOutcomes, jobCollection, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import type { UnrecordedPush } from '../../child/unrecordedPush.ts';
import { remoteName, type Remote, type SyncPoint } from '../syncPoint.ts';
import type { PlacedContent } from '../syncedContent.ts';

/**
 * The checkpoint that an export saves before its push. A later run of the same job uses it to find out
 * whether the push happened, and to end in the same way. If no such run follows, because the job was
 * cancelled or given up after its push, later jobs of the space recognize the commit by it.
 */
export type PushCheckpoint = {
  /** The exported revision, and its content with its places in the commit, stored for `organization`. */
  exported: string;
  placed: PlacedContent;
  organization: string;
  commit: string;
  parent?: string;
  /** Tree of the project directory in the commit. */
  folder?: string;
  /** The last state in sync between space and branch at that time: the commit of the sync point. */
  since?: string;
  /** The sync point of the last sync of the space at that time. */
  syncedWith?: string;
  /** The merge that the commit has, if the branch had moved. */
  merge?: ExportMerge;
};

/** The merged content of the space and the branch, which an export writes if the branch has moved. */
export type ExportMerge = {
  merged: ContentOfRevision;
  /** The content of the branch, its commit, and the tree of the project directory in it. */
  branch: ContentOfRevision;
  commit: string;
  folder: string;
  report: GitMerge;
};

type Now = { space: SpaceRecord; point: SyncPoint | undefined };

/**
 * Whether the checkpoint no longer describes the present: space and branch have been in sync since, or the
 * content cannot be read any more. The checkpoint of a merge is also overtaken if the space has got the
 * content of another remote since, which lacks the changes of the branch.
 */
export function isOvertaken(
  { since, organization, merge, syncedWith }: PushCheckpoint,
  { space, point }: Now,
): boolean {
  const isElsewhere = Boolean(merge) && syncedWith !== space.syncedWith;
  return since !== point?.commit || organization !== space.organization || isElsewhere;
}

export type PushSearch = Now & { input: Remote };

/**
 * Finds the checkpoint of a commit that an export of this space pushed to this branch without recording it,
 * unless a sync has happened since.
 *
 * @param of.isMerge  whether to find the commit of a merge, whose content the space does not have until the
 *   export has ended, or another one
 */
export async function findUnrecordedPush(
  { job, commit }: UnrecordedPush,
  search: PushSearch,
  { isMerge }: { isMerge: boolean } = { isMerge: false },
): Promise<(PushCheckpoint & { message: string }) | undefined> {
  const { space, input } = search;
  const noted = {
    _id: job,
    kind: gitJobs.exportRepository.kind,
    'subject.id': space._id,
    'input.standalone': false,
    'checkpoint.merge': isMerge ? { $ne: null } : null,
    // Anyone can write the trailer of a job under a commit, but cannot forge a commit with that id.
    'checkpoint.commit': commit,
  };
  // The job's record expires; its kept outcome does not.
  const recorded =
    (await jobCollection().findOne(noted, { projection: { input: 1, checkpoint: 1 } })) ??
    (await findOutcomes(noted))[0];
  if (!recorded || remoteName(space, recorded.input as Remote) !== remoteName(space, input)) return undefined;
  const checkpoint = recorded.checkpoint as PushCheckpoint;
  const { commitMessage: message = '' } = recorded.input as { commitMessage?: string };
  return isOvertaken(checkpoint, search) ? undefined : { ...checkpoint, message };
}

/** Loads the exported revision, with its places in the commit. */
export async function contentOfPush(
  space: SpaceRecord,
  { exported, placed }: PushCheckpoint,
): Promise<RevisionRecord | undefined> {
  const revision = await findRevision(space._id, exported);
  return revision && { ...revision, ...placed };
}
