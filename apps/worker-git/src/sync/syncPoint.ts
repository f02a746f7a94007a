import { trimmedEnd } from '@bindery/contract';
import { GitSyncPoint, type ClientSession, type GitSyncPointRecord, type SpaceRecord } from '@bindery/models';
import { signText, type Config } from '@bindery/runtime';

/** A branch of a remote repository, and the folder of it that holds the space. */
export type Remote = { url: string; ref: string; projectDirectory: string };

/** Id of the sync point of a space and a remote: keyed, so that it tells nothing of the URL. The same repository has one, however its URL is written. */
export function syncPointId(config: Config, space: Pick<SpaceRecord, '_id'>, { url, ref, projectDirectory }: Remote): string {
  const repository = trimmedEnd(url, '/').replace(/\.git$/i, '');
  return signText(config.secrets, 'git-sync-point', JSON.stringify([space._id, repository, ref, projectDirectory]));
}

/** What the space and a branch had in common last; undefined while they have not met. */
export async function loadSyncPoint(id: string): Promise<GitSyncPointRecord | undefined> {
  return (await GitSyncPoint.findById(id).lean<GitSyncPointRecord>()) ?? undefined;
}

/** Notes in the transaction that publishes a sync what both sides have now. */
export async function moveSyncPoint(
  { _id, folder, ...fields }: Omit<GitSyncPointRecord, 'updatedAt'>,
  session: ClientSession,
): Promise<void> {
  const change = folder === undefined ? { $unset: { folder: 1 as const } } : {};
  const set = { ...fields, ...(folder !== undefined && { folder }), updatedAt: new Date() };
  await GitSyncPoint.updateOne({ _id }, { $set: set, ...change }, { upsert: true, session });
}
