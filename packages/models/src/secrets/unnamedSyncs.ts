import { GitSyncPoint } from '../space/git.ts';
import { Space } from '../space/space.ts';

/** `count` of the spaces, and the first of their ids. */
export type UnnamedSyncs = { count: number; named: string[] };

const maxNamed = 20;

/**
 * Finds the spaces whose state in sync with their branch is known by the secret key alone, because an earlier
 * version has stored it. Their next sync gives it a name.
 */
export async function findUnnamedSyncs(): Promise<UnnamedSyncs> {
  const unnamed = await GitSyncPoint.find({ remote: { $exists: false } }, { space: 1 }).lean<
    { _id: string; space: string }[]
  >();
  const isUsed = { $in: unnamed.map(({ _id }) => _id) };
  const found = { _id: { $in: unnamed.map(({ space }) => space) }, syncedWith: isUsed, deletedAt: null };
  const [count, spaces] = await Promise.all([
    Space.countDocuments(found),
    Space.find(found, { _id: 1 }).limit(maxNamed).lean<{ _id: string }[]>(),
  ]);
  return { count, named: spaces.map(({ _id }) => _id) };
}
