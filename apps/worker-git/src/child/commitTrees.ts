import { keepTrees, mostKeptBytes, packTrees } from '../git/objects/keptTrees.ts';
import type { NewTrees } from '../git/objects/treeWriter.ts';
import type { RemoteBranch } from './remoteBranch.ts';
import type { CommitTrees } from './repositoryExport.ts';

/**
 * Packs the trees of the head of a branch, or of the commit that an export puts on top of it, for later
 * exports.
 */
export function commitTrees({ head, store }: RemoteBranch, written?: NewTrees): CommitTrees | undefined {
  const root = written?.root ?? head?.treeOid;
  if (root === undefined) return undefined;
  const kept = Buffer.concat([keepTrees(store, head?.trees ?? []), packTrees(written?.objects ?? [])]);
  return kept.length > mostKeptBytes ? undefined : { root, kept, isWhole: true };
}
