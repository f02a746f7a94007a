import type { FileChange } from '@bindery/content/export';
import { megabytes } from '@bindery/git-remote';

import type { GitLimits } from '../git/gitLimits.ts';
import { oidOf } from '../git/objects/gitObject.ts';
import { PackWriter } from '../git/objects/packWriter.ts';
import { tooMuchToPush } from '../git/wire/pushErrors.ts';
import type { SpooledFiles } from './spooledFiles.ts';
import type { NewTrees } from '../git/objects/treeWriter.ts';

type NewObjects = {
  commit: Buffer;
  trees: NewTrees;
  changes: readonly FileChange[];
  /** Blobs already on the branch. */
  known: ReadonlySet<string>;
};

/**
 * Writes the new objects of a push into a new file: the commit, its new trees, the blobs missing on the
 * branch.
 *
 * @throws JobError too_large beyond the limit for a pack
 */
export async function writePack(
  { commit, trees, changes, known }: NewObjects,
  { path, limits, spooled }: { path: string; limits: GitLimits; spooled: SpooledFiles },
): Promise<{ path: string; sizeBytes: number }> {
  const blobs = newBlobs(changes, known);
  const files = await spooled.find(blobs.flatMap((change) => (change.kind === 'file' ? [change.blob] : [])));
  const pack = new PackWriter(path, 1 + trees.objects.size + blobs.length);
  pack.add('commit', commit);
  for (const tree of trees.objects.values()) pack.add('tree', tree);
  for (const change of blobs) {
    if (change.kind === 'text') {
      if (oidOf('blob', change.bytes) !== change.oid) throw wrongOid(change.path);
      pack.add('blob', change.bytes);
    } else {
      const file = files.get(change.blob);
      if (!file) throw new Error(`The stored file for ${change.path} was not handed over.`);
      if ((await pack.addBlobFrom(file)) !== change.oid) throw wrongOid(change.path);
    }
    if (pack.sizeBytes > limits.maxPackBytes) throw tooMuchToPush(megabytes(limits.maxPackBytes));
  }
  return { path, sizeBytes: pack.finish() };
}

type NewBlob = Extract<FileChange, { kind: 'text' | 'file' }>;

/** Lists each blob once, although several paths may have it. */
function newBlobs(changes: readonly FileChange[], known: ReadonlySet<string>): NewBlob[] {
  const blobs = new Map<string, NewBlob>();
  for (const change of changes) {
    if (change.kind === 'copy' && !known.has(change.oid)) throw wrongOid(change.path);
    if ((change.kind === 'text' || change.kind === 'file') && !known.has(change.oid))
      blobs.set(change.oid, change);
  }
  return [...blobs.values()];
}

/** The plan contradicts itself: a bug of ours, detected before the commit is pushed. */
function wrongOid(path: string): Error {
  return new Error(`The export of ${path} has other bytes than its plan says.`);
}
