import { createHash } from 'node:crypto';
import { createHashSet, type HashSet } from '@bindery/content';
import { checkHash } from '@bindery/storage';
import { recordCollections } from './collections.ts';
import { piecesIn } from './blobPieces.ts';
import { partOf, readManifest, type Manifest } from './manifest.ts';
import { countMissingNodes, leavesOf, recordsOf, type Parts } from './names.ts';
import { readPart, requireParts } from './part.ts';
import type { Progress } from './progress.ts';

/**
 * Reads a whole backup: checksums and counts of its parts, the hashes of all content, and whether it has all
 * content that its records name.
 *
 * @returns the number of pieces of content that it names and does not have; 0 unless they were missing when
 *   it was taken
 * @throws Refusal for an incomplete or damaged backup
 */
export async function verifyBackup(
  folder: string,
  progress: Progress,
): Promise<{ manifest: Manifest; missing: number }> {
  const manifest = await readManifest(folder);
  const { parts } = manifest;
  await requireParts(folder, parts);
  for (const name of recordCollections) {
    const part = partOf(manifest, name);
    // Reading checks it.
    if (part) for await (const _record of progress.follow(name, readPart(folder, part)));
  }
  const backup = { folder, parts };
  const nodes = await countMissingNodes(backup);
  progress.say('nodes: read');
  const documents = await countMissing(backup, 'document', await documentsIn(backup, progress));
  const blobs = await countMissing(backup, 'blob', await blobsIn(backup, progress));
  return { manifest, missing: nodes + documents + blobs };
}

async function countMissing(backup: Parts, kind: 'document' | 'blob', stored: HashSet): Promise<number> {
  const missing = createHashSet();
  for await (const { key, mayBeGone } of leavesOf(backup, kind))
    if (!mayBeGone && !stored.has(key)) missing.add(key);
  return missing.size;
}

/** The documents of a backup whose bytes are those that their keys name. */
async function documentsIn(backup: Parts, progress: Progress): Promise<HashSet> {
  const stored = createHashSet();
  for await (const record of progress.follow('documents', recordsOf(backup, 'documents'))) {
    const { _id, frontmatter, body } = record as { _id: string; frontmatter: Buffer; body: Buffer };
    const hash = createHash('sha256').update(frontmatter).update(body).digest('hex');
    if (_id.endsWith(`:${hash}`)) stored.add(_id);
  }
  return stored;
}

async function blobsIn(backup: Parts, progress: Progress): Promise<HashSet> {
  const stored = createHashSet();
  let check = checkHash('');
  for await (const { key, bytes, isFirst, isLast } of progress.follow('files', piecesIn(backup))) {
    if (isFirst) check = checkHash(key);
    check.update(bytes);
    if (isLast && check.isRight()) stored.add(key);
  }
  return stored;
}
