import { lstat, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
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
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    throw new Refusal(`${join(root, folder)} cannot be read.`, [], { cause: error });
  });
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
  files.set(path, { path, place, sizeBytes: (await lstat(place)).size });
  if (files.size > maxFiles)
    throw new Refusal(`The folder has more than ${maxFiles} files.`, [
      'Give the folder of the documentation alone.',
    ]);
}
