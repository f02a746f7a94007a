import { createHash } from 'node:crypto';
import type { ObjectStore } from '../git/objects/objectStore.ts';
import { missingObject } from '../git/objects/packErrors.ts';
import type { SpoolBlob } from './repositoryReading.ts';

/** Indexes the range and the hash of each blob; files are stored under their hash. */
export function indexBlobs(store: ObjectStore, oids: Iterable<string>): Map<string, SpoolBlob> {
  const blobs = new Map<string, SpoolBlob>();
  for (const oid of oids) {
    const object = store.find(oid);
    if (!object) throw missingObject('a file');
    const hash = createHash('sha256');
    // In pieces, because a file may be large.
    for (let from = 0; from < object.size; from += pieceBytes)
      hash.update(store.read(object, from, Math.min(pieceBytes, object.size - from)));
    blobs.set(oid, { offset: object.offset, length: object.size, sha256: hash.digest('hex') });
  }
  return blobs;
}

const pieceBytes = 1024 * 1024;
