import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '@bindery/jobs';
import type { SpecVersionContent } from '@bindery/models';
import { blobKey, type BlobStore } from '@bindery/storage';
import { documentNames, type DocumentName, type UsableSpec } from './child/specWork.ts';

type Documents = Pick<
  SpecVersionContent,
  'document' | 'otherFiles' | 'bundle' | 'yaml' | 'filesystem' | 'index' | 'findings'
>;

/**
 * Stores the documents that the reading process has written, under their hashes, where no reader sees them
 * yet.
 */
export async function storeDocuments(
  { format, findingCount, otherFiles }: UsableSpec,
  {
    folder,
    organization,
    blobs,
    run,
  }: { folder: string; organization: string; blobs: BlobStore; run: Pick<Run, 'signal' | 'progress'> },
): Promise<Documents> {
  const hashes = {} as Record<DocumentName, string>;
  const names = documentNames.filter((name) => name !== 'others' || otherFiles > 0);
  for (const [index, name] of names.entries()) {
    run.signal.throwIfAborted();
    run.progress('store', index, names.length);
    hashes[name] = await storeFile(join(folder, name), { organization, blobs });
  }
  return {
    document: { blob: hashes.document, format },
    otherFiles: otherFiles > 0 ? { blob: hashes.others, count: otherFiles } : undefined,
    bundle: { blob: hashes.bundle },
    yaml: { blob: hashes.yaml },
    filesystem: { blob: hashes.filesystem },
    index: { blob: hashes.index },
    findings: { blob: hashes.findings, count: findingCount },
  };
}

/** Reads the file twice, because its hash is its key and it may be too large for the memory. */
export async function storeFile(
  path: string,
  { organization, blobs }: { organization: string; blobs: BlobStore },
): Promise<string> {
  const hashing = createHash('sha256');
  for await (const chunk of createReadStream(path)) hashing.update(chunk as Buffer);
  const hash = hashing.digest('hex');
  await blobs.put(blobKey(organization, hash), createReadStream(path));
  return hash;
}
