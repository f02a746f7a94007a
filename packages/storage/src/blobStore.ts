import type { Readable } from 'node:stream';

/**
 * Where files, PDFs and raw specifications are kept: bytes under a key, written once and never changed.
 * Keys are made by `blobKey`; whoever asks has been checked for the organization.
 */
export type BlobStore = {
  /** Makes what the store needs to exist. Safe to run at any time. */
  prepare(): Promise<void>;
  /** Those of the keys that are stored. */
  findStored(keys: readonly string[]): Promise<Set<string>>;
  /** Stores bytes under a key; what is already there stays. @returns whether they were new */
  put(key: string, bytes: Readable): Promise<boolean>;
  /** Opens a blob, whole or from `start` to before `end`; undefined when there is none. */
  open(key: string, range?: { start: number; end: number }): Promise<{ sizeBytes: number; bytes: Readable } | undefined>;
};

/** The key of bytes with this SHA-256 in an organization: whether another one has the same does not show. */
export function blobKey(organization: string, hash: string): string {
  return `${organization}:${hash}`;
}
