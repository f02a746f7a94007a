import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { imageFormatOf, recognizedTypes, type FileItem } from '@bindery/content';
import { invalid, type ContentChange, type NewFile } from '@bindery/contract';
import { newId } from '@bindery/runtime';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { Platform } from '../../platform.ts';
import { contentTypeOfFile } from './contentTypeOfFile.ts';
import { createFetcher, type Fetcher } from './fetchFile.ts';

/** Limits the concurrent fetches of one request. */
const parallelFetches = 4;

type Wanted = { change: number; file: NewFile; path: string };

/**
 * Stores the bytes of all files in a batch of changes, and fetches those given as a URL. The files stay
 * invisible until a revision refers to them.
 *
 * @returns the files of each change, by the index of the change
 * @throws invalid_request that names the file, when it cannot be fetched or has another type than declared
 */
export async function storeFiles(
  { blobs, outbound }: Pick<Platform, 'blobs' | 'outbound'>,
  { organization, changes }: { organization: string; changes: readonly ContentChange[] },
): Promise<Map<number, FileItem[]>> {
  const wanted = changes.flatMap((change, index) =>
    change.operation === 'insert_files'
      ? change.files.map((file, at): Wanted => ({
          change: index,
          file,
          path: `body.changes[${index}].files[${at}]`,
        }))
      : [],
  );
  const givenBytes = wanted.reduce(
    (sum, { file }) => sum + Buffer.byteLength(file.base64 ?? '', 'base64'),
    0,
  );
  // Checked before the first file is stored; fetched files are counted on arrival.
  if (givenBytes > 0) await blobs.requireRoom(organization, givenBytes);
  const fetcher = createFetcher(outbound);
  // Forbidden URLs are refused before the first fetch.
  for (const { file, path } of wanted) if (file.url !== undefined) fetcher.check(file.url, `${path}.url`);
  const stored = new Map<Wanted, FileItem>();
  const waiting = wanted.values();
  const work = async () => {
    for (const next of waiting) {
      if (fetcher.isStopped()) return;
      stored.set(next, await storeFile(next, { organization, blobs, fetcher }));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallelFetches, wanted.length) }, work));
  } finally {
    // One failed file refuses the whole batch.
    fetcher.stop();
  }
  const files = new Map<number, FileItem[]>();
  for (const one of wanted)
    files.set(one.change, [...(files.get(one.change) ?? []), stored.get(one) as FileItem]);
  return files;
}

type Storing = { organization: string; blobs: BlobStore; fetcher: Fetcher };

async function storeFile(
  { file, path }: Wanted,
  { organization, blobs, fetcher }: Storing,
): Promise<FileItem> {
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
  if (!(await blobs.findStored([key])).has(key)) await blobs.put(key, Readable.from([bytes]));
  return {
    id: newId(),
    name: file.name,
    contentType,
    sizeBytes: bytes.length,
    dimensions: format?.dimensions,
    blob,
  };
}
