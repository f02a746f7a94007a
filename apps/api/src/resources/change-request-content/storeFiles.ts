import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { imageFormatOf, recognizedTypes, type FileItem } from '@bindery/content';
import { invalid, type ContentChange, type NewFile } from '@bindery/contract';
import { newId } from '@bindery/runtime';
import { blobKey } from '@bindery/storage';
import { thePlatform } from '../../platform.ts';
import { contentTypeOfFile } from './contentTypeOfFile.ts';
import { createFetcher, type Fetcher } from './fetchFile.ts';

/** How many files of one request are fetched at the same time. */
const parallelFetches = 4;

type Wanted = { change: number; file: NewFile; path: string };

/**
 * Stores the bytes of all files that a batch of changes brings along, fetching those that are named by a URL. Nobody sees them until a revision
 * names them.
 *
 * @returns the files of each change that has some, by its index
 * @throws invalid_request naming the file that cannot be had or is not what it is said to be
 */
export async function storeFiles(organization: string, changes: readonly ContentChange[]): Promise<Map<number, FileItem[]>> {
  const wanted = changes.flatMap((change, index) =>
    change.operation === 'insert_files'
      ? change.files.map((file, at): Wanted => ({ change: index, file, path: `body.changes[${index}].files[${at}]` }))
      : [],
  );
  const givenBytes = wanted.reduce((sum, { file }) => sum + Buffer.byteLength(file.base64 ?? '', 'base64'), 0);
  // Before any of them is stored. What is fetched counts once it is here.
  if (givenBytes > 0) await thePlatform().blobs.requireRoom(organization, givenBytes);
  const fetcher = createFetcher();
  // What is refused by its text alone is refused before anything is fetched.
  for (const { file, path } of wanted) if (file.url !== undefined) fetcher.check(file.url, `${path}.url`);
  const stored = new Map<Wanted, FileItem>();
  const waiting = wanted.values();
  const work = async () => {
    for (const next of waiting) {
      if (fetcher.isStopped()) return;
      stored.set(next, await storeFile(organization, next, fetcher));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallelFetches, wanted.length) }, work));
  } finally {
    // One that failed is enough to refuse them all.
    fetcher.stop();
  }
  const files = new Map<number, FileItem[]>();
  for (const one of wanted) files.set(one.change, [...(files.get(one.change) ?? []), stored.get(one) as FileItem]);
  return files;
}

async function storeFile(organization: string, { file, path }: Wanted, fetcher: Fetcher): Promise<FileItem> {
  const { bytes, servedType } =
    file.url === undefined
      ? { bytes: Buffer.from(file.base64 ?? '', 'base64'), servedType: undefined }
      : await fetcher.fetch(file.url, `${path}.url`);
  const contentType = contentTypeOfFile(file, servedType);
  const format = imageFormatOf(bytes);
  if (recognizedTypes.includes(contentType) && format?.contentType !== contentType) {
    const found = format ? `are ${format.contentType}` : 'are something else';
    throw invalid(`${path}.contentType`, `is ${contentType}, but the bytes of the file ${found}.`);
  }
  const blob = createHash('sha256').update(bytes).digest('hex');
  const key = blobKey(organization, blob);
  const { blobs } = thePlatform();
  if (!(await blobs.findStored([key])).has(key)) await blobs.put(key, Readable.from([bytes]));
  return {
    id: newId(),
    name: file.name,
    contentType,
    sizeBytes: bytes.length,
    ...(format?.dimensions && { dimensions: format.dimensions }),
    blob,
  };
}
