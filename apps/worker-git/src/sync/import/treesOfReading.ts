import type { CommitTrees } from '../../child/repositoryExport.ts';
import type { RereadPages, WholeReading } from '../../child/repositoryReading.ts';
import { mostKeptBytes } from '../../git/objects/keptTrees.ts';

/** The trees of a commit that was read, for later exports; undefined if they are too many to be kept. */
export function treesOfReading({
  content,
  root,
  above,
  last,
}: WholeReading | RereadPages): CommitTrees | undefined {
  if (above.length + last.trees.length > mostKeptBytes) return undefined;
  // A partial reading has only the trees that are new since the last one.
  return { root, kept: Buffer.concat([above, last.trees]), isWhole: content !== undefined };
}
