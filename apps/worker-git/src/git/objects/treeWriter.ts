import { JobError } from '@bindery/contract/jobErrors';

import { maxNameBytes, maxPathBytes, maxTreeDepth } from '../gitLimits.ts';
import { oidOf } from './gitObject.ts';
import { fileModes, folderMode, isUnsafeName, readTree, type TreeLine, type TreeSource } from './tree.ts';

/** The new blob of a path from the repository's root; undefined removes the path. */
export type TreeChange = { path: string; oid: string | undefined };

/**
 * The tree of a commit, and the tree objects that the commit before it did not have, by oid. `folders` are
 * the folders on the way to a change, by their path with a slash at its end.
 */
export type NewTrees = {
  root: string;
  objects: ReadonlyMap<string, Buffer>;
  folders: ReadonlyMap<string, string>;
};

/**
 * Applies changes to the tree of a commit.
 *
 * All other entries stay byte for byte: files and folders, links, submodules, names in any encoding. A file
 * keeps its mode; a folder that loses its last entry is removed.
 *
 * @param base.treeOid  in the store; absent for the first commit of a branch
 * @throws JobError unsafe_tree when an entry that is neither file nor folder is in the way, and for trees
 *   that an import would refuse; limit
 */
export function writeTrees(
  base: { store: TreeSource; treeOid?: string },
  changes: Iterable<TreeChange>,
): NewTrees {
  const objects = new Map<string, Buffer>();
  const folders = new Map<string, string>();
  const write = (oid: string | undefined, folder: Folder, path: string): string | undefined => {
    const lines = new Map(
      (oid === undefined ? [] : readTree(base.store, oid, path)).map((line) => [keyOf(line.name), line]),
    );
    // In this order a file can be replaced by a folder, and a folder by a file.
    for (const [name, blob] of folder.files) if (blob === undefined) remove(lines, name, path);
    for (const [name, child] of folder.folders) {
      const old = lines.get(keyOf(name));
      if (old && !folderMode.test(old.mode)) throw inTheWay(`${path}${name}`);
      const tree = write(old?.oid, child, `${path}${name}/`);
      if (tree === undefined) lines.delete(keyOf(name));
      else if (tree !== old?.oid)
        lines.set(keyOf(name), { mode: '40000', name: Buffer.from(name), oid: tree });
    }
    for (const [name, blob] of folder.files) if (blob !== undefined) place(lines, { name, oid: blob }, path);
    if (lines.size === 0 && path !== '') return undefined;
    const bytes = treeBytes([...lines.values()]);
    const written = oidOf('tree', bytes);
    // Others in the store may be of earlier commits, which the server need not have any more.
    if (written !== oid) objects.set(written, bytes);
    folders.set(path, written);
    return written;
  };
  const root = write(base.treeOid, foldersOf(changes), '');
  return { root: root!, objects, folders };
}

/** Changes by folder. */
type Folder = { files: Map<string, string | undefined>; folders: Map<string, Folder> };

function foldersOf(changes: Iterable<TreeChange>): Folder {
  const root: Folder = { files: new Map(), folders: new Map() };
  for (const { path, oid } of changes) {
    if (oid !== undefined) checkPath(path);
    const names = path.split('/');
    const last = names.pop()!;
    let folder = root;
    for (const name of names) {
      const next = folder.folders.get(name) ?? { files: new Map(), folders: new Map() };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.set(last, oid);
  }
  return root;
}

/** Names are compared as bytes: those of other entries need not be UTF-8. */
function keyOf(name: string | Buffer): string {
  return Buffer.from(name).toString('latin1');
}

function remove(lines: Map<string, TreeLine>, name: string, path: string): void {
  const old = lines.get(keyOf(name));
  if (old && !fileModes[old.mode]) throw inTheWay(`${path}${name}`);
  lines.delete(keyOf(name));
}

function place(
  lines: Map<string, TreeLine>,
  { name, oid }: { name: string; oid: string },
  path: string,
): void {
  const old = lines.get(keyOf(name));
  const mode = old ? fileModes[old.mode] : '100644';
  if (!mode) throw inTheWay(`${path}${name}`);
  lines.set(keyOf(name), { mode, name: Buffer.from(name), oid });
}

/** Git's order: by the bytes of the names, with folders compared as if their names ended with a slash. */
function treeBytes(lines: TreeLine[]): Buffer {
  const sortable = lines.map((line) => ({
    line,
    key: folderMode.test(line.mode) ? Buffer.concat([line.name, slash]) : line.name,
  }));
  sortable.sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    sortable.flatMap(({ line }) => [
      Buffer.from(`${line.mode} `, 'latin1'),
      line.name,
      zero,
      Buffer.from(line.oid, 'hex'),
    ]),
  );
}

const slash = Buffer.from('/');
const zero = Buffer.from([0]);

/** Refuses paths that an import or git itself would refuse. */
function checkPath(path: string): void {
  const names = path.split('/');
  if (names.some(isUnsafeName) || names.some(isReserved)) {
    throw new JobError('unsafe_tree', 'The export would write a file with a name that git does not allow.', {
      action: 'Rename pages and files whose names look like `.git`.',
    });
  }
  if (
    names.length > maxTreeDepth ||
    names.some((name) => Buffer.byteLength(name) > maxNameBytes) ||
    Buffer.byteLength(path) > maxPathBytes
  ) {
    throw new JobError(
      'limit',
      `The export would write a name longer than ${maxNameBytes} bytes, a path longer than ${maxPathBytes} or folders nested more than ${maxTreeDepth} levels deep.`,
      { action: 'Shorten the names of pages and files, or nest pages less deeply.' },
    );
  }
}

/**
 * Names that mean `.git` on the file systems of macOS and Windows; git does not check them out, and hosts
 * refuse them.
 */
function isReserved(name: string): boolean {
  const plain = name.replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, '');
  return /^(\.git|git~1)[ .]*(:.*)?$/i.test(plain);
}

function inTheWay(path: string): JobError {
  return new JobError(
    'unsafe_tree',
    `Nothing can be written at ${path}: something else is there in the repository.`,
    {
      action:
        'Remove or rename the entry of the repository, for instance a symbolic link or a submodule, or the page or file of the space.',
    },
  );
}
