import { blobKey, type BlobStore } from '@bindery/storage';
import { LRUCache } from 'lru-cache';
import type { SpecVersion } from './specVersions.ts';

/** A specification may have 64 MiB, and its rendered descriptions half as much again. */
const maxBytes = 256 * 1024 * 1024;

/** Megabytes of specifications that a process keeps. */
export const specBytesMb = 128;

/** Bytes that threads share, so that a block of a large specification copies nothing. */
const kept = new LRUCache<string, SharedArrayBuffer>({
  maxSize: specBytesMb * 1024 * 1024,
  sizeCalculation: ({ byteLength }) => byteLength + 1,
});
const loading = new Map<string, Promise<SharedArrayBuffer>>();

/**
 * Loads the files of a version, once for all who ask at the same time.
 *
 * @throws Error when the blob is missing, although a record has its hash
 */
export async function loadSpecBytes(
  { organization, blob }: SpecVersion,
  blobs: BlobStore,
): Promise<SharedArrayBuffer> {
  const key = blobKey(organization, blob);
  const known = kept.get(key);
  if (known) return known;
  const load =
    loading.get(key) ??
    read(key, blobs)
      .then((bytes) => {
        kept.set(key, bytes);
        return bytes;
      })
      .finally(() => loading.delete(key));
  loading.set(key, load);
  return load;
}

async function read(key: string, blobs: BlobStore): Promise<SharedArrayBuffer> {
  const stored = await blobs.open(key);
  if (!stored) throw new Error(`The blob ${key} is lost.`);
  if (stored.sizeBytes > maxBytes) {
    stored.bytes.destroy();
    throw new Error(`The blob ${key} is too large for a specification.`);
  }
  const shared = new SharedArrayBuffer(stored.sizeBytes);
  const bytes = new Uint8Array(shared);
  let at = 0;
  for await (const chunk of stored.bytes as AsyncIterable<Uint8Array>) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return shared;
}
