import { hash } from 'node:crypto';
import { trimmedEnd } from '@bindery/contract';
import {
  GitSyncPoint,
  type ClientSession,
  type GitSyncPointRecord,
  type SpaceRecord,
  type SyncPointTrees,
} from '@bindery/models';
import { compact, signText, type Config } from '@bindery/runtime';
import { mostKeptBytes } from '../git/objects/keptTrees.ts';
import type { CommitTrees } from '../child/repositoryExport.ts';

/** A branch of a remote repository, and the folder of the space in it. */
export type Remote = { url: string; ref: string; projectDirectory: string };

/** The name of a remote of a space. All spellings of a repository's URL give the same name. */
export function remoteName(space: Pick<SpaceRecord, '_id'>, remote: Remote): string {
  return hash('sha256', describe(space, remote), 'base64url');
}

function describe({ _id }: Pick<SpaceRecord, '_id'>, { url, ref, projectDirectory }: Remote): string {
  const repository = trimmedEnd(url, '/').replace(/\.git$/i, '');
  return JSON.stringify([_id, repository, ref, projectDirectory]);
}

/**
 * Finds the last state in sync between a space and a branch, without the objects of its trees. `pointId` is
 * the id of its record, also before there is one.
 */
export async function findSyncPoint(
  { secrets }: Pick<Config, 'secrets'>,
  space: Pick<SpaceRecord, '_id' | 'syncedWith'>,
  remote: Remote,
): Promise<{ pointId: string; point: SyncPoint | undefined }> {
  const name = remoteName(space, remote);
  const idOf = (key: Buffer) => signText({ key }, 'git-sync-point', describe(space, remote));
  const { key, previousKey } = secrets;
  // Records of earlier versions have no name until their next sync, and workers of these versions find them
  // by their ids alone, which depend on the platform's key.
  const ids = [idOf(key), ...(previousKey ? [idOf(previousKey)] : [])];
  const found = await GitSyncPoint.find(
    { $or: [{ remote: name }, { _id: { $in: ids } }] },
    { 'trees.parts': 0 },
  ).lean<SyncPoint[]>();
  // A key that was replaced under an earlier version has left a second record.
  const point =
    found.find(({ _id }) => _id === space.syncedWith) ??
    found.find((one) => one.remote === name) ??
    found.find(({ _id }) => _id === ids[0]) ??
    found[0];
  return { pointId: point?._id ?? idOf(key), point };
}

/** Loads the last state in sync by the id of its record, as `findSyncPoint` does. */
export async function loadSyncPoint(id: string): Promise<SyncPoint | undefined> {
  const [point] = await GitSyncPoint.find({ _id: id }, { 'trees.parts': 0 }).lean<SyncPoint[]>();
  return point;
}

export type SyncPoint = Omit<GitSyncPointRecord, 'trees'> & { trees?: Omit<SyncPointTrees, 'parts'> };

/** Loads the trees of the commit of a sync point; undefined if they are not kept, or the point has moved. */
export async function loadSyncedTrees({ _id, commit }: SyncPoint): Promise<Buffer | undefined> {
  const found = await GitSyncPoint.findOne(
    { _id, commit, 'trees.commit': commit },
    { 'trees.parts': 1 },
  ).lean<{ trees: { parts: (Uint8Array | { buffer: Uint8Array })[] } }>();
  return (
    found?.trees &&
    Buffer.concat(found.trees.parts.map((part) => (part instanceof Uint8Array ? part : part.buffer)))
  );
}

/** A new state in sync; `before` is the one that `trees` go on from, unless they are whole. */
export type NewSyncPoint = Pick<GitSyncPointRecord, '_id' | 'commit' | 'folder' | 'revision'> & {
  trees?: CommitTrees | undefined;
  before?: SyncPoint | undefined;
};

/** Trees of more commits are read anew, without those that no commit has any more. */
const maxParts = 32;

/** Records the new state in sync, in the transaction that publishes a sync. */
export async function moveSyncPoint(
  { _id, folder, trees, before, ...fields }: NewSyncPoint & { space: string; remote: string },
  session: ClientSession,
): Promise<void> {
  const { $set, $unset, ...change } = treesChange(fields.commit, trees, before?.trees);
  await GitSyncPoint.updateOne(
    { _id },
    {
      $set: { ...compact({ ...fields, folder, updatedAt: new Date() }), ...$set },
      $unset: { ...(folder === undefined && { folder: 1 }), ...$unset },
      ...change,
    },
    { upsert: true, session },
  );
}

type TreesChange = { $set?: object; $unset?: object; $push?: object };

function treesChange(
  commit: string,
  trees: CommitTrees | undefined,
  before: SyncPoint['trees'],
): TreesChange {
  if (!trees) return { $unset: { trees: 1 } };
  const { root, kept, isWhole } = trees;
  const part = Buffer.from(kept);
  if (isWhole)
    return {
      $set: { trees: { commit, root, parts: [part], partCount: 1, sizeBytes: part.length } },
    };
  const partCount = (before?.partCount ?? maxParts) + 1;
  const sizeBytes = (before?.sizeBytes ?? 0) + part.length;
  if (partCount > maxParts || sizeBytes > mostKeptBytes) return { $unset: { trees: 1 } };
  return {
    $set: {
      'trees.commit': commit,
      'trees.root': root,
      'trees.partCount': partCount,
      'trees.sizeBytes': sizeBytes,
    },
    $push: { 'trees.parts': part },
  };
}
