import { oidOf } from './gitObject.ts';
import type { ObjectStore, StoredObject } from './objectStore.ts';
import type { TreeSource } from './tree.ts';

/** The most bytes of trees that are kept beside a sync point, in one record of MongoDB. */
export const mostKeptBytes = 4 * 1024 * 1024;

const oidBytes = 20;
const headBytes = oidBytes + 4;

/**
 * Packs tree objects for a later reading, one after another: the oid, the length in four bytes, the object as
 * in git.
 */
export function packTrees(trees: Iterable<readonly [oid: string, bytes: Uint8Array]>): Buffer {
  const parts: Uint8Array[] = [];
  for (const [oid, bytes] of trees) {
    const head = Buffer.alloc(headBytes);
    head.write(oid, 'hex');
    head.writeUInt32BE(bytes.length, oidBytes);
    parts.push(head, bytes);
  }
  return Buffer.concat(parts);
}

/** Packs trees of a store; those that it lacks are left out. */
export function keepTrees(store: ObjectStore, oids: Iterable<string>): Buffer {
  return packTrees(
    [...new Set(oids)].flatMap((oid) => {
      const object = store.find(oid);
      return object ? [[oid, store.read(object)] as const] : [];
    }),
  );
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

/** Opens kept trees that somebody may have changed: a tree with other bytes than its oid says is missing. */
export function openVerifiedTrees(kept: Uint8Array): TreeSource {
  const trees = openKeptTrees(kept);
  return {
    ...trees,
    find: (oid) => {
      const object = trees.find(oid);
      return object && oidOf('tree', trees.read(object)) === oid ? object : undefined;
    },
  };
}
