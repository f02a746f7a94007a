import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { blobKey, type BlobStore } from '@bindery/storage';

/** Hashing all of a large text would block other requests. */
const sliceBytes = 4 * 1024 * 1024;

/** Stores a text as a blob of an organization. @returns the hash that loadText takes */
export async function storeText(
  blobs: BlobStore,
  { organization, text }: { organization: string; text: string },
): Promise<string> {
  const bytes = Buffer.from(text);
  const hashing = createHash('sha256');
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    if (start > 0) await setImmediate();
    hashing.update(bytes.subarray(start, start + sliceBytes));
  }
  const hash = hashing.digest('hex');
  await blobs.put(blobKey(organization, hash), Readable.from([bytes]));
  return hash;
}

type StoredText = { organization: string; hash: string };

/** @throws Error when the blob is missing, although a record has its hash */
export async function loadText(blobs: BlobStore, text: StoredText): Promise<string> {
  return Buffer.concat(await (await openText(blobs, text)).toArray()).toString();
}

/** The same as a stream. */
export async function openText(blobs: BlobStore, { organization, hash }: StoredText): Promise<Readable> {
  const stored = await blobs.open(blobKey(organization, hash));
  if (!stored) throw new Error(`The blob ${hash} of the organization ${organization} is lost.`);
  return stored.bytes;
}
