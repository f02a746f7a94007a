import { trimmedEnd } from '@bindery/contract';
import { GitSyncPoint, type ClientSession, type GitSyncPointRecord, type SpaceRecord } from '@bindery/models';
import { compact, signText, type Config } from '@bindery/runtime';

/** A branch of a remote repository, and the folder of the space in it. */
export type Remote = { url: string; ref: string; projectDirectory: string };

/**
 * The id of the sync point of a space and a remote: keyed, so that it does not reveal the URL. All spellings
 * of a repository's URL give the same id.
 */
export function syncPointId(
  config: Config,
  space: Pick<SpaceRecord, '_id'>,
  { url, ref, projectDirectory }: Remote,
): string {
  const repository = trimmedEnd(url, '/').replace(/\.git$/i, '');
  return signText(
    config.secrets,
    'git-sync-point',
    JSON.stringify([space._id, repository, ref, projectDirectory]),
  );
}

/** Loads the last state in sync between a space and a branch; undefined if there is none. */
export async function loadSyncPoint(id: string): Promise<GitSyncPointRecord | undefined> {
  return (await GitSyncPoint.findById(id).lean<GitSyncPointRecord>()) ?? undefined;
}

/** Records the new state in sync, in the transaction that publishes a sync. */
export async function moveSyncPoint(
  { _id, folder, ...fields }: Omit<GitSyncPointRecord, 'updatedAt'>,
  session: ClientSession,
): Promise<void> {
  const change = folder === undefined ? { $unset: { folder: 1 as const } } : {};
  const set = compact({ ...fields, folder, updatedAt: new Date() });
  await GitSyncPoint.updateOne({ _id }, { $set: set, ...change }, { upsert: true, session });
}
