import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import { blobKey, type BlobStore } from '@bindery/storage';

/** An uploaded file: the key of its blob, and its name. */
export type Upload = { key: string; name: string };

/**
 * Writes uploaded files to a new folder, from which a process without access to the store reads them.
 *
 * @param place.maxBytes  of all files together; nothing is written beyond
 * @throws JobError not_found for a file that is no longer stored, limit for too many bytes
 */
export async function layOutUploads(
  files: readonly Upload[],
  place: { blobs: BlobStore; organization: string; folder: string; maxBytes: number },
): Promise<{ path: string; name: string }[]> {
  const { blobs, organization, folder, maxBytes } = place;
  await mkdir(folder);
  const written: { path: string; name: string }[] = [];
  let leftBytes = maxBytes;
  // One after the other, so that each is counted before it is written.
  for (const [index, { key, name }] of files.entries()) {
    const stored = await blobs.open(blobKey(organization, key));
    if (!stored)
      throw new JobError('not_found', 'An uploaded file no longer exists.', { action: 'Upload it again.' });
    leftBytes -= stored.sizeBytes;
    if (leftBytes < 0) {
      stored.bytes.destroy();
      throw tooLarge(maxBytes);
    }
    const path = join(folder, String(index));
    await writeFile(path, stored.bytes);
    written.push({ path, name });
  }
  return written;
}

function tooLarge(maxBytes: number): JobError {
  return new JobError(
    'limit',
    `The uploaded files are larger than ${Math.floor(maxBytes / 1024 / 1024)} MB together.`,
    { action: 'Import fewer or smaller files.' },
  );
}
