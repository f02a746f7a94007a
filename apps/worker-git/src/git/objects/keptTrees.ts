import type { ObjectStore, StoredObject } from './objectStore.ts';
import type { TreeSource } from './tree.ts';

const oidBytes = 20;
const headBytes = oidBytes + 4;

/**
 * Packs tree objects for a later reading, one after another: the oid, the length in four bytes, the object as
 * in git.
 */
export function keepTrees(store: ObjectStore, oids: Iterable<string>): Buffer {
  const parts: Buffer[] = [];
  for (const oid of new Set(oids)) {
    const object = store.find(oid);
    if (!object) continue;
    const head = Buffer.alloc(headBytes);
    head.write(oid, 'hex');
    head.writeUInt32BE(object.size, oidBytes);
    parts.push(head, store.read(object));
  }
  return Buffer.concat(parts);
}

/** Opens kept trees, to be read like those of a store. */
export function openKeptTrees(kept: Uint8Array): TreeSource {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  const objects = new Map<string, StoredObject>();
  for (let at = 0; at + headBytes <= bytes.length;) {
    const oid = bytes.toString('hex', at, at + oidBytes);
    const size = bytes.readUInt32BE(at + oidBytes);
    objects.set(oid, { oid, type: 'tree', offset: at + headBytes, size });
    at += headBytes + size;
  }
  return {
    find: (oid) => objects.get(oid),
    read: ({ offset, size }) => bytes.subarray(offset, offset + size),
  };
}
