import { isUtf8 } from 'node:buffer';

import { fileModes, folderMode, readTree, type TreeSource } from './tree.ts';

/** A file with changed content; `path` is from the repository's root. */
export type ChangedFile = { path: string; before: string; after: string };

/**
 * Finds the files that changed between two commits with the same files. Skips folders that are the same in
 * both.
 *
 * @param roots.before  the oid of the old folder, with everything below it in `trees.before`
 * @param roots.folder  its path, with a slash at its end except for the root
 * @returns the changed files, and the new trees; undefined when an entry was added or removed, or changed its
 *   type
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
    const old = new Map(
      readTree(trees.before, before, folder).map((line) => [line.name.toString('latin1'), line]),
    );
    const lines = readTree(trees.after, after, folder);
    if (lines.length !== old.size) return false;
    newTrees.push(after);
    return lines.every(({ name, mode, oid }) => {
      const was = old.get(name.toString('latin1'));
      if (!was || kindOf(was.mode) !== kindOf(mode)) return false;
      // Entries that an import skips may change.
      if (was.oid === oid || !isUtf8(name)) return true;
      const path = folder + name.toString('utf8');
      if (folderMode.test(mode)) return compare({ before: was.oid, after: oid, folder: `${path}/` });
      if (fileModes[mode]) files.push({ path, before: was.oid, after: oid });
      return true;
    });
  }
}

/** Ignores executable bits. */
function kindOf(mode: string): string {
  if (fileModes[mode]) return 'file';
  return folderMode.test(mode) ? 'folder' : mode;
}
