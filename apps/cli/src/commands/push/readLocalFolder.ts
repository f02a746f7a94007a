import { isUtf8 } from 'node:buffer';
import { constants, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { JobError } from '@bindery/contract/jobErrors';
import type { RepositoryFiles, SpaceContent } from '@bindery/dialect/repository-format';
import { readSpaceContent, type ContentOutline } from '@bindery/dialect/repository-reader';
import { messageOf } from '@bindery/runtime';
import { Refusal } from '../../refusal.ts';
import { isGone, walkFolder, type Folder, type FolderFile } from './walkFolder.ts';

export type LocalFolder = { files: { path: string; bytes: Buffer }[]; notes: string[] };

/**
 * Reads the files of a folder that are content of a space, as git sync understands it: pages, navigation,
 * settings, and the files that pages use. Code beside them stays where it is.
 *
 * A file that vanishes or changes while it is read starts the reading over: it would be sent in part, or the
 * pages would name a file that is not sent.
 *
 * @throws Refusal for a folder without pages, for a text that is not UTF-8, and when files keep changing
 */
export async function readLocalFolder(root: string): Promise<LocalFolder> {
  for (let reading = 1; ; reading += 1) {
    try {
      return await readOnce(root);
    } catch (error) {
      if (!(error instanceof FileMoves)) throw error;
      if (reading === maxReadings)
        throw new Refusal(`${error.message} changes while it is read.`, [
          'Run the command again when the program that writes it is done.',
        ]);
      await delay(pauseMs * reading);
    }
  }
}

const maxReadings = 5;
const pauseMs = 100;

/** A file that vanished or changed while it was read; the message is its path. */
class FileMoves extends Error {}

async function readOnce(root: string): Promise<LocalFolder> {
  const folder = await walkFolder(root);
  const read = new Map<string, Buffer>();
  const paths = await contentOf(folder, read);
  const files: LocalFolder['files'] = [];
  for (const path of paths) {
    const file = folder.files.get(path);
    if (file) files.push({ path, bytes: read.get(path) ?? (await readOwn(file)) });
  }
  return { files, notes: folder.notes };
}

/** @returns the paths of the files of the content, in order */
async function contentOf({ files }: Folder, read: Map<string, Buffer>): Promise<string[]> {
  let outline: ContentOutline = { pages: [], others: [] };
  const content = await readSpaceContent(asRepository(files, read), {
    projectDirectory: '',
    onOutline: (found) => (outline = found),
  }).catch((error: unknown) => {
    if (error instanceof JobError)
      throw new Refusal(error.message, error.action === undefined ? [] : [error.action], { cause: error });
    throw error;
  });
  if (content.pages.length === 0)
    throw new Refusal('The folder has no pages.', [
      'Give the folder with SUMMARY.md or README.md, or set `root` in its .gitbook.yaml.',
    ]);
  const named = [...outline.pages.map(({ path }) => path), ...outline.others, ...filesOf(content)];
  return [...new Set(named)].toSorted();
}

function filesOf({ files, includes, configuration }: SpaceContent): string[] {
  const { summary } = configuration;
  const paths = [...files, ...includes].map(({ git }) => git.path);
  return summary === undefined ? paths : [...paths, summary];
}

/** Uses paths as ids, because each file is read once. */
function asRepository(files: ReadonlyMap<string, FolderFile>, read: Map<string, Buffer>): RepositoryFiles {
  const entries = Array.from(
    files.values(),
    ({ path, sizeBytes }) => [path, { path, oid: path, mode: '100644', sizeBytes }] as const,
  );
  return {
    entries: new Map(entries),
    readBlobs: async (paths) => {
      for (const path of paths) {
        const file = files.get(path);
        if (!file || read.has(path)) continue;
        const bytes = await readOwn(file);
        if (!isUtf8(bytes))
          throw new Refusal(`${path} is not UTF-8, the only encoding of Markdown here.`, [
            'Save it as UTF-8.',
          ]);
        read.set(path, bytes);
      }
      return new Map(paths.flatMap((path) => (read.has(path) ? [[path, read.get(path)!] as const] : [])));
    },
  };
}

async function readOwn({ path, place }: FolderFile): Promise<Buffer> {
  try {
    // A link that took the place of the file meanwhile is not followed either.
    const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const before = await file.stat({ bigint: true });
      const bytes = await file.readFile();
      const after = await file.stat({ bigint: true });
      const isSame = before.size === after.size && before.mtimeNs === after.mtimeNs;
      if (!isSame || BigInt(bytes.length) !== after.size) throw new FileMoves(path);
      return bytes;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof FileMoves) throw error;
    if (isGone(error)) throw new FileMoves(path, { cause: error });
    throw new Refusal(`${path} cannot be read: ${messageOf(error)}`, [], { cause: error });
  }
}
