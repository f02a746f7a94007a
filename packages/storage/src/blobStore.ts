import type { Readable } from 'node:stream';
import type { StoredItems } from './storedItems.ts';

/**
 * Where files, PDFs and raw specifications are kept: bytes under a key, written once and never changed.
 * Keys are made by `blobKey`; whoever asks has been checked for the organization.
 *
 * A blob that nothing refers to is removed (`StoredItems`): at once nobody finds it any more, while those who are reading it come to its end.
 */
export type BlobStore = StoredItems & {
  /** Makes what the store needs to exist. Safe to run at any time. */
  prepare(): Promise<void>;
  /** Those of the keys that are stored: they stay for as long as whoever asks may take to refer to them. */
  findStored(keys: readonly string[]): Promise<Set<string>>;
  /**
   * Stores bytes under a key; what is already there stays, as for `findStored`. @returns whether they were new
   * @throws payload_too_large when they exceed the quota of the organization; then nothing is stored
   */
  put(key: string, bytes: Readable): Promise<boolean>;
  /** @throws payload_too_large when so many bytes more exceed the quota of the organization */
  requireRoom(organization: string, sizeBytes: number): Promise<void>;
  /** Counts anew what an organization stores, once blobs were removed. */
  recount(organization: string): Promise<void>;
  /** Opens a blob, whole or from `start` to before `end`; undefined when there is none. */
  open(key: string, range?: { start: number; end: number }): Promise<{ sizeBytes: number; bytes: Readable } | undefined>;
  /** Frees the bytes of what was removed before a time: whoever was reading then has come to the end. @returns how many blobs they were */
  clearRemoved(before: Date): Promise<number>;
  /**
   * Removes what uploads left that never ended, and began between two times. @returns how many they were
   */
  clearLeftovers(began: { after: Date; before: Date }): Promise<number>;
};

/** The key of bytes with this SHA-256 in an organization: whether another one has the same does not show. */
export function blobKey(organization: string, hash: string): string {
  return `${organization}:${hash}`;
}

export function organizationOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}
