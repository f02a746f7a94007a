import { isUtf8 } from 'node:buffer';

import { fileModes, folderMode, readTree, type TreeSource } from './tree.ts';

/** A file with other content than before; `path` is from the repository's root. */
export type ChangedFile = { path: string; before: string; after: string };

/**
 * Finds the files that changed between two commits that hold the same files. Folders that are the same in both are not looked into.
 *
 * @param roots.before  the folder as it was, with everything below it in `trees.before`
 * @param roots.folder  its path, with a slash at its end unless it is the root
 * @returns the changed files, and the trees that are new; undefined when anything was added, removed or became something else
 * @throws JobError unsafe_tree, bad_content
 */
export function findChangedFiles(
  trees: { before: TreeSource; after: TreeSource },
  roots: { before: string; after: string; folder: string },
): { files: ChangedFile[]; newTrees: string[] } | undefined {
  const files: ChangedFile[] = [];
  const newTrees: string[] = [];
  return compare(roots) ? { files, newTrees } : undefined;

  function compare({ before, after, folder }: typeof roots): boolean {
    if (before === after) return true;
    if (!trees.before.find(before)) return false;
    const old = new Map(readTree(trees.before, before, folder).map((line) => [line.name.toString('latin1'), line]));
    const lines = readTree(trees.after, after, folder);
    if (lines.length !== old.size) return false;
    newTrees.push(after);
    return lines.every(({ name, mode, oid }) => {
      const was = old.get(name.toString('latin1'));
      if (!was || kindOf(was.mode) !== kindOf(mode)) return false;
      // What an import leaves out may change as it likes.
      if (was.oid === oid || !isUtf8(name)) return true;
      const path = folder + name.toString('utf8');
      if (folderMode.test(mode)) return compare({ before: was.oid, after: oid, folder: `${path}/` });
      if (fileModes[mode]) files.push({ path, before: was.oid, after: oid });
      return true;
    });
  }
}

/** Whether a file may be executed makes no difference. */
function kindOf(mode: string): string {
  if (fileModes[mode]) return 'file';
  return folderMode.test(mode) ? 'folder' : mode;
}
