import { lstat, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { messageOf } from '@bindery/runtime';
import { Refusal } from '../../refusal.ts';

/** A file of a folder: where it is here, and its path in the folder, with `/` and composed letters. */
export type FolderFile = { path: string; place: string; sizeBytes: number };

export type Folder = { files: Map<string, FolderFile>; notes: string[] };

/** An installation reads no more, unless its operator allows it. */
const maxFiles = 50_000;
const maxDepth = 32;
/** Folders of programs; no documentation is in them. */
const ignored = new Set(['.git', '.hg', '.svn', 'node_modules']);

/**
 * Lists the files of a folder. Symbolic links are not followed, so that nothing outside of the folder is
 * read.
 *
 * @throws Refusal for anything but a folder that can be read, and for two names that other systems do not
 *   tell apart
 */
export async function walkFolder(root: string): Promise<Folder> {
  const found: Folder = { files: new Map(), notes: [] };
  await requireFolder(root);
  await walk(found, root, '');
  return found;
}

/** @throws Refusal for anything but a folder */
export async function requireFolder(root: string): Promise<void> {
  const status = await stat(root).catch(() => undefined);
  if (!status?.isDirectory()) throw new Refusal(`${root} is not a folder.`);
}

/** Whether a path is in a folder of programs. */
export function isIgnored(path: string): boolean {
  return path.split(sep).some((name) => ignored.has(name));
}

async function walk(found: Folder, root: string, folder: string): Promise<void> {
  const entries = await unlessGone(join(root, folder), (place) => readdir(place, { withFileTypes: true }));
  if (!entries) return;
  if (folder.split('/').length > maxDepth)
    throw new Refusal(`The folder nests folders more than ${maxDepth} levels deep.`);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const own = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!ignored.has(entry.name)) await walk(found, root, own);
    } else if (entry.isFile()) await add(found, root, own);
    else if (entry.isSymbolicLink()) found.notes.push(`${own}: symbolic links are not followed.`);
  }
}

async function add({ files, notes }: Folder, root: string, own: string): Promise<void> {
  const path = own.normalize('NFC');
  if (path.includes('\ufffd') || /[\p{Cc}\\]/u.test(path)) {
    notes.push(`${own}: left out, because other systems have no such names.`);
    return;
  }
  const other = files.get(path);
  if (other) throw new Refusal(`Two files have the same name, composed differently: ${path}.`);
  const place = join(root, own);
  const status = await unlessGone(place, (each) => lstat(each));
  if (!status?.isFile()) return;
  files.set(path, { path, place, sizeBytes: status.size });
  if (files.size > maxFiles)
    throw new Refusal(`The folder has more than ${maxFiles} files.`, [
      'Give the folder of the documentation alone.',
    ]);
}

/**
 * Programs write files under temporary names, which are gone a moment later.
 *
 * @returns undefined for what is gone
 * @throws Refusal with the path when it cannot be read
 */
async function unlessGone<Found>(
  place: string,
  read: (place: string) => Promise<Found>,
): Promise<Found | undefined> {
  try {
    return await read(place);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw new Refusal(`${place} cannot be read: ${messageOf(error)}`, [], { cause: error });
  }
}

/** Whether an error says that a file, or a folder above it, is no longer there. */
export function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
