import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { blobKey, type BlobStore } from '@bindery/storage';

/**
 * Copies a stored blob into a file of the worker, which can lend it to a process.
 *
 * @throws Error when the blob is missing, although a record has its hash
 */
export async function copyBlob(
  path: string,
  { blobs, organization, hash }: { blobs: BlobStore; organization: string; hash: string },
): Promise<void> {
  const stored = await blobs.open(blobKey(organization, hash));
  if (!stored) throw new Error(`The blob ${hash} of the organization ${organization} is lost.`);
  await pipeline(stored.bytes, createWriteStream(path, { mode: 0o600 }));
}
