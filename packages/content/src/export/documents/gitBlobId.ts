import { createHash } from 'node:crypto';

/** Returns the id under which git stores a file with these bytes. */
export function gitBlobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
