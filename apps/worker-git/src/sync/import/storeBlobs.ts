import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { contentTypeOf, storeDocuments, type KnownBlobs } from '@bindery/content';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import type { Run } from '@bindery/jobs';
import type { SpaceRecord } from '@bindery/models';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { KnownFile, KnownLines } from '../repositoryRecord.ts';
import { indexLines, toLines } from '../../child/lines.ts';
import { documentOfLine, pageLine } from '../../child/pageLine.ts';
import type { ReadContent, SpoolBlob, WholeReading } from '../../child/repositoryReading.ts';

/** The blobs stored by an import and before it: enough to build a revision. */
export type StoredBlobs = KnownBlobs & {
  /** The blobs of the present commit, for the next import. */
  known: KnownLines;
  documentsWritten: number;
  blobsWritten: number;
};

const documentsPerWrite = 200;

/**
 * Stores the new pages and files of a repository under their hashes. Content that is already stored, also by
 * another import, is not written again.
 */
export async function storeBlobs(
  reading: ReadContent,
  { run, space, blobs, record }: { run: Run; space: SpaceRecord; blobs: BlobStore; record: KnownLines },
): Promise<StoredBlobs> {
  const facts = new Map(reading.facts);
  const files = new Map(reading.content.files.map((file) => [file.git.oid, file]));
  const texts = [...reading.spool.blobs].flatMap(([oid, blob]) =>
    facts.has(oid) || !files.has(oid) ? [blob] : [],
  );
  const documentsWritten = await storeTexts(texts, { run, space, path: reading.spool.path });
  const blobsWritten = await storeFiles(reading, { run, space, blobs, files });
  return { ...blobsOf(reading, record), documentsWritten, blobsWritten };
}

/** Stores sources of pages and includes. @returns the number of new ones */
export async function storeTexts(
  texts: readonly SpoolBlob[],
  { run, space, path }: { run: Run; space: SpaceRecord; path: string },
): Promise<number> {
  const spool = await open(path, 'r');
  let written = 0;
  try {
    for (let start = 0; start < texts.length; start += documentsPerWrite) {
      run.signal.throwIfAborted();
      const batch = await Promise.all(
        texts.slice(start, start + documentsPerWrite).map(async (blob) => ({
          hash: blob.sha256,
          source: splitFrontmatter(await readBlob(spool, blob)),
        })),
      );
      written += await storeDocuments(space.organization, batch);
      run.progress('content_process', Math.min(start + documentsPerWrite, texts.length), texts.length);
    }
    return written;
  } finally {
    await spool.close();
  }
}

/**
 * Returns the data of a repository's blobs needed for building a revision, by oid, whether they are stored or
 * not.
 */
export function blobsOf(
  reading: ReadContent,
  record: KnownLines,
): Pick<StoredBlobs, 'documentOf' | 'fileOf' | 'known'> {
  const files = new Map(reading.content.files.map((file) => [file.git.oid, file]));
  const pageLines = indexLines(record.pages);
  for (const [oid, line] of newPageLines(reading)) pageLines.set(oid, line);
  const fileLines = indexLines(record.files);
  const documentOf = (oid: string) => documentOfLine(pageLines.get(oid) ?? unknown(oid));
  const knownFile = (oid: string): KnownFile => {
    const blob = reading.spool.blobs.get(oid);
    return blob
      ? { blob: blob.sha256, sizeBytes: blob.length }
      : (JSON.parse(fileLines.get(oid) ?? unknown(oid)) as KnownFile);
  };
  return {
    known: {
      pages: toLines(
        Array.from(new Set(pageOids(reading)), (oid) => [oid, pageLines.get(oid) ?? unknown(oid)]),
      ),
      files: toLines(Array.from(files.keys(), (oid) => [oid, JSON.stringify(knownFile(oid))])),
    },
    documentOf,
    fileOf: (oid) => ({ ...knownFile(oid), contentType: contentTypeOf(files.get(oid)?.name ?? '') }),
  };
}

/** Formats the lines of the pages and includes that were read, by oid. */
export function newPageLines({
  facts,
  spool,
}: Pick<WholeReading, 'facts' | 'spool'>): [oid: string, line: string][] {
  return facts.map(([oid, found]) => [oid, pageLine(spool.blobs.get(oid)?.sha256 ?? unknown(oid), found)]);
}

async function storeFiles(
  reading: ReadContent,
  {
    run,
    space,
    blobs,
    files,
  }: { run: Run; space: SpaceRecord; blobs: BlobStore; files: Map<string, unknown> },
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
  // `end` is inclusive, so an empty range cannot be expressed.
  return length === 0
    ? Readable.from([])
    : createReadStream(path, { start: offset, end: offset + length - 1 });
}

/** Reads the bytes of a blob from the spool file of a reading. */
export async function readBlob(spool: FileHandle, { offset, length }: SpoolBlob): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await spool.read(bytes, 0, length, offset);
  if (bytesRead !== length) throw new Error('The spool of a repository ended early.');
  return bytes;
}

function* pageOids(reading: ReadContent): Generator<string> {
  type Page = WholeReading['content']['pages'][number];
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
