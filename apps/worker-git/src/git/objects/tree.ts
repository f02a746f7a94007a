import { isUtf8 } from 'node:buffer';

import { JobError } from '@bindery/contract/jobErrors';
import { megabytes } from '@bindery/git-remote';

import { maxNameBytes, maxPathBytes, maxTreeBytes, maxTreeDepth } from '../gitLimits.ts';
import type { ObjectStore } from './objectStore.ts';
import { malformedPack, missingObject, tooManyObjects } from './packErrors.ts';

/** A regular file; `path` is from the repository's root. */
export type TreeFile = { path: string; oid: string; mode: '100644' | '100755' };

/** An entry skipped by an import, with the reason. */
export type SkippedEntry = { path: string; message: string };

/** `trees` are the oids of the folder and of those below it, the folder's own first. */
export type TreeListing = { files: Map<string, TreeFile>; skipped: SkippedEntry[]; trees: string[] };

/** A source of tree objects. */
export type TreeSource = Pick<ObjectStore, 'find' | 'read'>;

/** An entry of a tree object; `mode` and `name` as stored. */
export type TreeLine = { mode: string; name: Buffer; oid: string };

export const folderMode = /^0?40000$/;
/** 100664 was written by git's first versions; git reads it as 100644. */
export const fileModes: Record<string, TreeFile['mode']> = {
  100644: '100644',
  100664: '100644',
  100755: '100755',
};
const skippedModes: Record<string, string> = {
  120000: 'Symbolic links are not imported.',
  160000: 'Submodules are not imported.',
};

/**
 * Lists the regular files below `directory`, depth first, without reading any other folder.
 *
 * Trees are read one at a time and entries are counted on the way, because ten objects can describe billions
 * of files.
 *
 * @param root.directory  the path from the root, without slashes at its ends; empty for the whole repository
 * @throws JobError not_found when there is no such folder; unsafe_tree, limit, bad_content
 */
export function listTree(
  store: TreeSource,
  root: { treeOid: string; directory: string; maxEntries: number },
): TreeListing {
  const listing: TreeListing = { files: new Map(), skipped: [], trees: [] };
  let entries = 0;

  const visit = (treeOid: string, folder: string, depth: number) => {
    if (depth > maxTreeDepth) throw beyond(`Folders are nested more than ${maxTreeDepth} levels deep.`);
    listing.trees.push(treeOid);
    for (const { name, mode, oid } of readTree(store, treeOid, folder)) {
      entries += 1;
      if (entries > root.maxEntries) throw tooManyObjects(root.maxEntries);
      const path = folder + name.toString('utf8');
      if (name.length > maxNameBytes || Buffer.byteLength(path) > maxPathBytes) {
        throw beyond(`A name is longer than ${maxNameBytes} bytes or a path longer than ${maxPathBytes}.`);
      }
      const fileMode = fileModes[mode];
      const reason = isUtf8(name) ? skippedModes[mode] : 'The name is not valid UTF-8.';
      if (reason) listing.skipped.push({ path, message: reason });
      else if (fileMode) listing.files.set(path, { path, oid, mode: fileMode });
      else if (folderMode.test(mode)) visit(oid, `${path}/`, depth + 1);
      else throw unsafe(folder, 'an entry of an unknown kind');
    }
  };

  visit(
    findFolder(store, root),
    root.directory && `${root.directory}/`,
    root.directory ? root.directory.split('/').length : 0,
  );
  return listing;
}

/** Finds the tree of the folder at a path. @throws JobError not_found */
function findFolder(store: TreeSource, root: { treeOid: string; directory: string }): string {
  return foldersTo(store, root).at(-1)!;
}

/** Lists the trees on the way to the folder at a path: the root first, the folder last. @throws the same */
export function foldersTo(
  store: TreeSource,
  { treeOid, directory }: { treeOid: string; directory: string },
): string[] {
  const oids = [treeOid];
  let folder = '';
  for (const name of directory === '' ? [] : directory.split('/')) {
    const line = readTree(store, oids.at(-1)!, folder).find((entry) => entry.name.toString('utf8') === name);
    if (!line || !folderMode.test(line.mode)) {
      throw new JobError(
        'not_found',
        `The folder ${directory} does not exist in the repository; check \`repoProjectDirectory\`.`,
      );
    }
    oids.push(line.oid);
    folder += `${name}/`;
  }
  return oids;
}

/** Reads the entries of one tree and checks their names. Format: https://git-scm.com/docs/gitformat-pack */
export function readTree(store: TreeSource, oid: string, folder: string): TreeLine[] {
  const object = store.find(oid);
  if (!object) throw missingObject(folder === '' ? 'the root folder' : `the folder ${folder}`);
  if (object.type !== 'tree') throw malformedPack();
  if (object.size > maxTreeBytes)
    throw beyond(`A folder lists more than ${megabytes(maxTreeBytes)} of names.`);
  const lines = parseTree(store.read(object));
  const names = new Set<string>();
  for (const { name } of lines) {
    const text = name.toString('latin1');
    if (isUnsafeName(name.toString('utf8'))) throw unsafe(folder, 'a name that is not allowed');
    if (names.has(text)) throw unsafe(folder, 'one name twice');
    names.add(text);
  }
  return lines;
}

function parseTree(bytes: Buffer): TreeLine[] {
  const lines: TreeLine[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const zero = bytes.indexOf(0, space);
    if (space < 0 || space - at > 6 || zero < 0 || zero + 21 > bytes.length) throw malformedPack();
    lines.push({
      mode: bytes.toString('latin1', at, space),
      name: bytes.subarray(space + 1, zero),
      oid: bytes.toString('hex', zero + 1, zero + 21),
    });
    at = zero + 21;
  }
  return lines;
}

/** Other names with a backslash are allowed: git's paths are POSIX paths and we never write one to a disk. */
export function isUnsafeName(name: string): boolean {
  return (
    name === '' ||
    name === '.' ||
    name === '..' ||
    name.includes('/') ||
    isGitFolder(name) ||
    hasControlCharacter(name)
  );
}

/**
 * Whether a file system may treat the name as `.git`, so that a clone runs code of the repository: HFS+
 * ignores zero-width characters, NTFS ignores dots and spaces at the end and everything after a colon, and
 * has the short name `git~1`. `git fsck` refuses the same names.
 */
function isGitFolder(name: string): boolean {
  // A quick check that rules out nearly all names.
  if (!/^[.g\u0080-\uffff]/i.test(name)) return false;
  const [ntfs = ''] = name.split(/[\\:]/);
  return (
    /^(?:\.git|git~1)[. ]*$/i.test(ntfs) ||
    /^\.git$/i.test(name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ''))
  );
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function unsafe(folder: string, what: string): JobError {
  return new JobError(
    'unsafe_tree',
    `${folder === '' ? 'The root folder' : `The folder ${folder}`} of the repository holds ${what}.`,
    {
      action: 'Create the commit again with a recent git; `git fsck` names the entry.',
    },
  );
}

function beyond(message: string): JobError {
  return new JobError('limit', message, {
    action: 'Shorten the paths, or import a folder further down with `repoProjectDirectory`.',
  });
}
