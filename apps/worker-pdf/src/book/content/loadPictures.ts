import { buffer } from 'node:stream/consumers';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { ChunkFile } from '../../browser/browser.ts';
import type { Picture } from '../plan/pieces.ts';

/** Loads pictures for a chunk, each once. A missing one is shown as its text. */
export async function loadPictures(
  pictures: readonly Picture[],
  { blobs, organization }: { blobs: BlobStore; organization: string },
): Promise<Map<string, ChunkFile>> {
  const files = new Map<string, ChunkFile>();
  for (const { path, blob, type } of pictures) {
    if (files.has(path)) continue;
    const stored = await blobs.open(blobKey(organization, blob));
    if (stored) files.set(path, { bytes: await buffer(stored.bytes), type });
  }
  return files;
}
