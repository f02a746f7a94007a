import type { Readable } from 'node:stream';
import type { SignedHeaders } from './s3/signObject.ts';
import type { StoredItems } from './storedItems.ts';

/**
 * Stores files, PDFs and raw specifications: bytes under a key, written once and never changed. `blobKey`
 * makes the keys; callers have already been authorized for the organization.
 *
 * An unreferenced blob is removed (`StoredItems`): lookups immediately fail, while readers can finish.
 */
export type BlobStore = StoredItems & {
  /** Creates the collections and indexes. Safe to run at any time. */
  prepare(): Promise<void>;
  /**
   * Tries everything that the store must be permitted to do, before a process starts to work.
   *
   * @returns the reason why the server of the bytes does not answer now, if it does not
   * @throws StoreMisconfigured
   */
  checkAccess(): Promise<string | undefined>;
  /** Asks the store of the bytes for an answer, unless that is MongoDB. @throws ObjectStoreUnavailable */
  ping(): Promise<void>;
  /**
   * Finds which of the keys are stored. These blobs stay for as long as the caller may take to refer to them.
   */
  findStored(keys: readonly string[]): Promise<Set<string>>;
  /**
   * Stores bytes under a key; an existing blob stays, as for `findStored`. @returns whether the bytes were
   * new
   * @throws payload_too_large when they exceed the organization's quota; then nothing is stored
   */
  put(key: string, bytes: Readable): Promise<boolean>;
  /** @throws payload_too_large when `sizeBytes` more would exceed the organization's quota */
  requireRoom(organization: string, sizeBytes: number): Promise<void>;
  /** Recounts the stored bytes of an organization, after blobs were removed. */
  recount(organization: string): Promise<void>;
  /**
   * Opens a blob, whole or from `start` to before `end`; undefined without one. The stream fails when the
   * bytes are not those that were stored (CorruptBlob) or cannot be read now (ObjectStoreUnavailable).
   */
  open(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ sizeBytes: number; bytes: Readable } | undefined>;
  /**
   * Signs a URL of the store itself, from which a reader may get the blob with these headers for five
   * minutes; undefined where readers shall not, and for small blobs.
   */
  signedUrl(key: string, headers: SignedHeaders): Promise<string | undefined>;
  /** Finds the keys of blobs whose bytes are not in the bucket any more. */
  findLost(): AsyncIterable<string>;
  /**
   * Describes the storage for operators: the organizations with the most bytes, and the number of removed
   * blobs whose bytes are not freed yet, counted up to `limit`. Without quotas nothing is counted for
   * organizations.
   */
  describeUsage(limit: number): Promise<{
    largest: { organization: string; sizeBytes: number }[];
    removedBlobs: number;
  }>;
  /**
   * Frees the bytes of blobs removed before a time, when their last readers have finished. @returns the
   * number of blobs
   */
  clearRemoved(before: Date): Promise<number>;
  /** Removes the leftovers of unfinished uploads that began between two times. @returns their number */
  clearLeftovers(began: { after: Date; before: Date }): Promise<number>;
};

/**
 * The key of bytes with this SHA-256 in an organization; it does not reveal whether another organization has
 * the same bytes.
 */
export function blobKey(organization: string, hash: string): string {
  return `${organization}:${hash}`;
}

export function organizationOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}
