import { isUtf8 } from 'node:buffer';
import { constants, open } from 'node:fs/promises';
import { JobError } from '@bindery/contract/jobErrors';
import type { RepositoryFiles, SpaceContent } from '@bindery/dialect/repository-format';
import { readSpaceContent, type ContentOutline } from '@bindery/dialect/repository-reader';
import { Refusal } from '../../refusal.ts';
import { walkFolder, type Folder, type FolderFile } from './walkFolder.ts';

export type LocalFolder = { files: { path: string; bytes: Buffer }[]; notes: string[] };

/**
 * Reads the files of a folder that are content of a space, as git sync understands it: pages, navigation,
 * settings, and the files that pages use. Code beside them stays where it is.
 *
 * @throws Refusal for a folder without pages, and for a text that is not UTF-8
 */
export async function readLocalFolder(root: string): Promise<LocalFolder> {
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
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Refusal(`${path} cannot be read.`, [], { cause: error });
  }
}
