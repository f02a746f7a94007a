import type { Run } from '@bindery/jobs';
import type { SpaceRecord } from '@bindery/models';
import type { Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { RepositoryReader } from '../child/repositoryReader.ts';
import type { SyncPoint } from './syncPoint.ts';

export type SyncParts = { config: Config; reader: RepositoryReader; blobs: BlobStore };

/** The part of a running import or export that both have. */
export type Syncing = SyncParts & {
  run: Run;
  space: SpaceRecord;
  pointId: string;
  /** The last state in sync between the space and the branch. */
  point: SyncPoint | undefined;
};

/**
 * Returns the state last in sync from which both sides went on; undefined if there is none, if the space has
 * synced with another branch since, and with `force`, which takes one side as a whole.
 */
export function commonState({
  input,
  space,
  pointId,
  point,
}: Pick<Syncing, 'space' | 'pointId' | 'point'> & {
  input: { force: boolean };
}): SyncPoint | undefined {
  return input.force || space.syncedWith !== pointId ? undefined : point;
}
