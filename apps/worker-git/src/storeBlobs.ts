import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { contentTypeOf, splitFrontmatter, storeDocuments, type KnownBlobs } from '@bindery/content';
import type { Run } from '@bindery/jobs';
import type { SpaceRecord } from '@bindery/models';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { KnownPage, RepositoryRecord } from './repositoryRecord.ts';
import type { RepositoryReading, SpoolBlob } from './repository/repositoryReading.ts';

type Reading = Extract<RepositoryReading, { unchanged: false }>;

/** What an import has stored, and what was stored before: enough to build a revision of it. */
export type StoredBlobs = KnownBlobs & {
  /** The blobs of the present commit, for the next import. */
  known: RepositoryRecord;
  documentsWritten: number;
  blobsWritten: number;
};

const documentsPerWrite = 200;

/** Stores the new pages and files of a repository under their hashes. What is stored already, also by another import, is left as it is. */
export async function storeBlobs(
  reading: Reading,
  { run, space, blobs, record }: { run: Run; space: SpaceRecord; blobs: BlobStore; record: RepositoryRecord },
): Promise<StoredBlobs> {
  const facts = new Map(reading.facts);
  const files = new Map(reading.content.files.map((file) => [file.git.oid, file]));
  const spool = await open(reading.spool.path, 'r');
  let documentsWritten = 0;
  try {
    const texts = [...reading.spool.blobs].filter(([oid]) => facts.has(oid) || !files.has(oid));
    for (let start = 0; start < texts.length; start += documentsPerWrite) {
      run.signal.throwIfAborted();
      const batch = await Promise.all(
        texts
          .slice(start, start + documentsPerWrite)
          .map(async ([, blob]) => ({ hash: blob.sha256, source: splitFrontmatter(await readBlob(spool, blob)) })),
      );
      documentsWritten += await storeDocuments(space.organization, batch);
      run.progress('content_process', Math.min(start + documentsPerWrite, texts.length), texts.length);
    }
  } finally {
    await spool.close();
  }
  const blobsWritten = await storeFiles(reading, { run, space, blobs, files });
  const factsOf = (oid: string) => facts.get(oid) ?? record.pages.get(oid)?.facts;
  const documentOf = (oid: string) => reading.spool.blobs.get(oid)?.sha256 ?? record.pages.get(oid)?.document ?? unknown(oid);
  const knownFile = (oid: string) => {
    const blob = reading.spool.blobs.get(oid);
    return blob ? { blob: blob.sha256, sizeBytes: blob.length } : (record.files.get(oid) ?? unknown(oid));
  };
  const pages = new Map<string, KnownPage>();
  for (const oid of pageOids(reading)) {
    const known = factsOf(oid);
    if (known) pages.set(oid, { facts: known, document: documentOf(oid) });
  }
  return {
    known: { pages, files: new Map([...files.keys()].map((oid) => [oid, knownFile(oid)])) },
    documentOf,
    fileOf: (oid) => ({ ...knownFile(oid), contentType: contentTypeOf(files.get(oid)?.name ?? '') }),
    documentsWritten,
    blobsWritten,
  };
}

async function storeFiles(
  reading: Reading,
  { run, space, blobs, files }: { run: Run; space: SpaceRecord; blobs: BlobStore; files: Map<string, unknown> },
): Promise<number> {
  const wanted = [...reading.spool.blobs].filter(([oid]) => files.has(oid)).map(([, blob]) => blob);
  const keyOf = (blob: SpoolBlob) => blobKey(space.organization, blob.sha256);
  const stored = await blobs.findStored(wanted.map(keyOf));
  let written = 0;
  for (const [index, blob] of wanted.entries()) {
    run.signal.throwIfAborted();
    run.progress('content_process', index, wanted.length);
    if (stored.has(keyOf(blob))) continue;
    stored.add(keyOf(blob));
    if (await blobs.put(keyOf(blob), streamBlob(reading.spool.path, blob))) written += 1;
  }
  return written;
}

function streamBlob(path: string, { offset, length }: SpoolBlob): Readable {
  // A range of a file has at least one byte.
  return length === 0 ? Readable.from([]) : createReadStream(path, { start: offset, end: offset + length - 1 });
}

async function readBlob(spool: FileHandle, { offset, length }: SpoolBlob): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await spool.read(bytes, 0, length, offset);
  if (bytesRead !== length) throw new Error('The spool of a repository ended early.');
  return bytes;
}

function* pageOids(reading: Reading): Generator<string> {
  type Page = Reading['content']['pages'][number];
  const open: Page[] = [...reading.content.pages];
  for (let page = open.pop(); page; page = open.pop()) {
    if (page.type === 'document' && page.git) yield page.git.oid;
    if ('pages' in page) open.push(...page.pages);
  }
  for (const { git } of reading.content.includes) yield git.oid;
}

function unknown(oid: string): never {
  throw new Error(`The repository's blob ${oid} was neither read nor known.`);
}
