import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { blobKey, type BlobStore } from '@bindery/storage';

/** Stores a text as a blob of an organization. @returns the hash that loadText takes */
export async function storeText(
  blobs: BlobStore,
  { organization, text }: { organization: string; text: string },
): Promise<string> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex');
  await blobs.put(blobKey(organization, hash), Readable.from([bytes]));
  return hash;
}

/** @throws Error when the blob is missing, although a record has its hash */
export async function loadText(
  blobs: BlobStore,
  { organization, hash }: { organization: string; hash: string },
): Promise<string> {
  const stored = await blobs.open(blobKey(organization, hash));
  if (!stored) throw new Error(`The blob ${hash} of the organization ${organization} is lost.`);
  return Buffer.concat(await stored.bytes.toArray()).toString();
}
