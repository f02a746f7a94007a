import type { TreeEntry } from '@bindery/dialect/repository-format';
import { gitBlobId } from './documents/gitBlobId.ts';
import type { FileChange } from './types.ts';

/**
 * The changes of an export, and the resulting repository. Writing content that the repository already has is
 * not a change.
 */
export type Changes = {
  remove(path: string): void;
  text(path: string, bytes: Uint8Array, oid?: string): void;
  /** Adds a stored file; `blob` is the SHA-256 under which it is stored. */
  file(path: string, oid: string, blob: string): void;
  /** Returns the repository with all changes so far. */
  entries(): ReadonlyMap<string, TreeEntry>;
  /** Lists the changes, one per path. */
  list(): FileChange[];
};

export function createChanges(before: ReadonlyMap<string, TreeEntry>): Changes {
  const changes = new Map<string, FileChange>();
  const after = new Map(before);
  const oids = new Set([...before.values()].map(({ oid }) => oid));
  const put = (path: string, oid: string, change: () => FileChange) => {
    const { mode = '100644' } = before.get(path) ?? {};
    after.set(path, { path, oid, mode });
    if (before.get(path)?.oid === oid) changes.delete(path);
    else changes.set(path, oids.has(oid) ? { kind: 'copy', path, oid } : change());
  };
  return {
    remove: (path) => {
      after.delete(path);
      if (before.has(path)) changes.set(path, { kind: 'remove', path });
    },
    text: (path, bytes, oid = gitBlobId(bytes)) => put(path, oid, () => ({ kind: 'text', path, oid, bytes })),
    file: (path, oid, blob) => put(path, oid, () => ({ kind: 'file', path, oid, blob })),
    entries: () => after,
    list: () => [...changes.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  };
}
