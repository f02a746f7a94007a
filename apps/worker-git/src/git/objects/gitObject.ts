import { createHash } from 'node:crypto';

import type { ObjectType } from './objectStore.ts';

/** Computes the oid of an object: the hash of its kind, its size and its bytes. */
export function oidOf(type: ObjectType, bytes: Uint8Array): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}
