import { findRevision } from '@bindery/content';
import { gitJobs } from '@bindery/jobs';
import { findOutcomes, jobCollection, type GitSyncPointRecord, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import type { Config } from '@bindery/runtime';
import type { UnrecordedPush } from '../child/unrecordedPush.ts';
import { syncPointId } from './syncPoint.ts';
import type { PlacedContent } from './syncedContent.ts';

/**
 * What a run of an export keeps before it pushes. A later run of the same job finds out by it whether the push happened, and ends the same way.
 * Where there is none, because the job was cancelled or given up after its push, later jobs of the space know the commit by it.
 */
export type PushCheckpoint = {
  /** The revision that is written, and its content with its places in the commit, stored for `organization`. */
  exported: string;
  placed: PlacedContent;
  organization: string;
  commit: string;
  parent?: string;
  /** Tree of the project directory in it. */
  folder?: string;
  /** What space and branch had in common at that time: the commit of the sync point. */
  since?: string;
  /** The sync point of the last sync of the space at that time. */
  syncedWith?: string;
};

type Now = { space: SpaceRecord; point: GitSyncPointRecord | undefined };

/** Whether space and branch have been brought in sync since, or what was kept cannot be read any more: then it says nothing about the present. */
export function isOvertaken({ since, organization }: PushCheckpoint, { space, point }: Now): boolean {
  return since !== point?.commit || organization !== space.organization;
}

type Search = Now & { config: Config; pointId: string };

/** What an export of this space to this branch kept of a commit, if it ended after its push and nothing was brought in sync since. */
export async function findUnrecordedPush({ job, commit }: UnrecordedPush, search: Search): Promise<PushCheckpoint | undefined> {
  const { config, space, pointId } = search;
  const noted = {
    _id: job,
    kind: gitJobs.exportRepository.kind,
    'subject.id': space._id,
    'input.standalone': false,
    // Anybody can write the trailer of a job under a commit, but not another commit of that id.
    'checkpoint.commit': commit,
  };
  // The job's record expires; what is kept of it does not.
  const recorded = (await jobCollection().findOne(noted, { projection: { input: 1, checkpoint: 1 } })) ?? (await findOutcomes(noted))[0];
  if (!recorded || syncPointId(config, space, recorded.input as Parameters<typeof syncPointId>[2]) !== pointId) return undefined;
  const checkpoint = recorded.checkpoint as PushCheckpoint;
  return isOvertaken(checkpoint, search) ? undefined : checkpoint;
}

/** What was written then, with its places in the commit. */
export async function contentOfPush(space: SpaceRecord, { exported, placed }: PushCheckpoint): Promise<RevisionRecord | undefined> {
  const revision = await findRevision(space._id, exported);
  return revision && { ...revision, ...placed };
}
