import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { blobKey, type BlobStore } from '@bindery/storage';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { storeDocuments } from '../store/documents.ts';
import type { FileItem } from '../store/items.ts';
import type { PackedContent } from './packedContent.ts';
import type { SpoolPart } from './spool.ts';

/** Documents per write: encoding them for MongoDB blocks the thread. */
const documentsPerWrite = 100;
const bytesPerWrite = 4_000_000;

/**
 * Stores gathered content under its hashes, where no reader sees it yet. Skips content that is already
 * stored.
 *
 * @param spool  path of the spool file
 */
export async function storeContent(
  { documents, files }: Pick<PackedContent, 'documents' | 'files'>,
  {
    spool: path,
    organization,
    blobs,
    signal,
    onProgress,
  }: {
    spool: string;
    organization: string;
    blobs: BlobStore;
    signal: AbortSignal;
    onProgress(done: number, total: number): void;
  },
): Promise<{ files: FileItem[]; documentsWritten: number; blobsWritten: number }> {
  const total = documents.length + files.length;
  const spool = await open(path, 'r');
  let documentsRead = 0;
  let documentsWritten = 0;
  try {
    for (const batch of batchesOf(documents)) {
      signal.throwIfAborted();
      const sources = batch.map(async (part) => ({
        hash: part.hash,
        source: splitFrontmatter(await readPart(spool, part)),
      }));
      documentsWritten += await storeDocuments(organization, await Promise.all(sources));
      documentsRead += batch.length;
      onProgress(documentsRead, total);
    }
  } finally {
    await spool.close();
  }
  const keyOf = ({ hash }: SpoolPart) => blobKey(organization, hash);
  const stored = await blobs.findStored(files.map(keyOf));
  let blobsWritten = 0;
  for (const [index, file] of files.entries()) {
    signal.throwIfAborted();
    onProgress(documents.length + index, total);
    if (stored.has(keyOf(file))) continue;
    stored.add(keyOf(file));
    if (await blobs.put(keyOf(file), streamPart(path, file))) blobsWritten += 1;
  }
  const items = files.map(({ id, name, contentType, hash, length }) => ({
    id,
    name,
    contentType,
    sizeBytes: length,
    blob: hash,
  }));
  return { files: items, documentsWritten, blobsWritten };
}

function* batchesOf(parts: readonly SpoolPart[]): Iterable<SpoolPart[]> {
  let batch: SpoolPart[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (batch.length > 0 && (batch.length === documentsPerWrite || bytes + part.length > bytesPerWrite)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(part);
    bytes += part.length;
  }
  if (batch.length > 0) yield batch;
}

async function readPart(spool: FileHandle, { offset, length }: SpoolPart): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await spool.read(bytes, 0, length, offset);
  if (bytesRead !== length) throw new Error('The spool of an import ended early.');
  return bytes;
}

function streamPart(path: string, { offset, length }: SpoolPart): Readable {
  // `createReadStream` cannot read an empty range.
  return length === 0
    ? Readable.from([])
    : createReadStream(path, { start: offset, end: offset + length - 1 });
}
