import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { JobError } from '@bindery/contract';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { SpooledFile } from '../../child/repositoryExport.ts';

/**
 * Copies stored files into a spool file for the process that talks to the repository, and computes their git
 * blob ids.
 *
 * @param hashes  the SHA-256 hashes under which they are stored
 * @throws JobError internal when one is missing
 */
export async function spoolFiles(
  hashes: Iterable<string>,
  {
    path,
    organization,
    blobs,
    signal,
  }: { path: string; organization: string; blobs: BlobStore; signal: AbortSignal },
): Promise<Map<string, SpooledFile>> {
  const spooled = new Map<string, SpooledFile>();
  const spool = await open(path, 'a');
  try {
    let { size: offset } = await spool.stat();
    for (const hash of new Set(hashes)) {
      const file = await blobs.open(blobKey(organization, hash));
      if (!file)
        throw new JobError('internal', 'A file of the space is missing in the store.', { class: 'invalid' });
      const { sizeBytes: length, bytes } = file;
      const oid = createHash('sha1').update(`blob ${length}\0`);
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        oid.update(chunk);
        await spool.writeFile(chunk);
      }
      spooled.set(hash, { oid: oid.digest('hex'), offset, length });
      offset += length;
    }
    return spooled;
  } finally {
    await spool.close();
  }
}
