import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { blobKey } from '@bindery/storage';
import { thePlatform } from '../platform.ts';

/** Stores a text among the blobs of an organization. @returns the hash under which it is found there */
export async function storeText(organization: string, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex');
  await thePlatform().blobs.put(blobKey(organization, hash), Readable.from([bytes]));
  return hash;
}

/** @throws Error when there is no such text: whoever has its hash in a record stored it before */
export async function loadText(organization: string, hash: string): Promise<string> {
  const stored = await thePlatform().blobs.open(blobKey(organization, hash));
  if (!stored) throw new Error(`The blob ${hash} of the organization ${organization} is lost.`);
  return Buffer.concat(await stored.bytes.toArray()).toString();
}
