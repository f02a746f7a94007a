import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { ContentWarning, ImportedPage } from '@bindery/dialect/repository-format';
import type { FileItem } from '@bindery/content';
import {
  GitRepository,
  type GitRepositoryPart,
  type GitRepositoryRecord,
  type SpaceRecord,
} from '@bindery/models';
import { signText, type Config } from '@bindery/runtime';
import type { Lines } from '../child/lines.ts';
import type { LastReading, WholeReading } from '../child/repositoryReading.ts';
import type { SkippedEntry } from '../git/objects/tree.ts';

/** MongoDB's limit for a record, with a margin. */
const maxBytes = 12 * 1024 * 1024;
const recordVersion = 3;
/** A record extended this often is rewritten by a full reading. */
const maxParts = 64;

/** The cached data of a file; its key is the blob's oid. */
export type KnownFile = Pick<FileItem, 'blob' | 'sizeBytes' | 'dimensions'>;

/**
 * The cached data of a repository's blobs: lines by oid; for pages and includes as written by `pageLine`, for
 * files a `KnownFile` as JSON.
 */
export type KnownLines = { pages: Lines; files: Lines };

/** The notes of an import about everything it read, including parts that it did not read again. */
export type ReadingNotes = {
  warnings: ContentWarning[];
  skipped: SkippedEntry[];
  pages: number;
  files: number;
};

export type RepositoryRecord = KnownLines & { last?: KeptReading };

/** The last reading, with its settings and the content made of it. */
export type KeptReading = LastReading & {
  settings: string;
  contentHash: string;
  notes: ReadingNotes;
  bytes: number;
  isFull: boolean;
};

/** The id of a repository's record: keyed, so that no organization can guess or reach a record of another. */
export function repositoryKey(
  config: Config,
  space: Pick<SpaceRecord, '_id' | 'organization'>,
  { url, repoCacheId = '' }: { url: string; repoCacheId?: string | undefined },
): string {
  return signText(
    config.secrets,
    'git-repository',
    JSON.stringify([space.organization, space._id, url, repoCacheId]),
  );
}

/**
 * Loads a repository's record; an empty one for an unknown repository, and for a record of another version.
 */
export async function loadRepositoryRecord(key: string): Promise<RepositoryRecord> {
  const stored = await GitRepository.findById(key).lean<GitRepositoryRecord>();
  if (stored?.version !== recordVersion) return nothingKnown;
  const [pages, files, trees, outline, notes] = await Promise.all(
    (['pages', 'files', 'trees', 'outline', 'notes'] as const).map((name) => joinParts(stored.parts, name)),
  );
  const { settings, contentHash, treeOid } = stored;
  return {
    pages: pages!,
    files: files!,
    last: {
      settings,
      contentHash,
      treeOid,
      trees: trees!,
      outline: outline!,
      notes: JSON.parse(notes!.toString()) as ReadingNotes,
      bytes: stored.parts.reduce((sum, part) => sum + sizeOf(part), 0),
      isFull: stored.parts.length >= maxParts,
    },
  };
}

export const nothingKnown: RepositoryRecord = { pages: Buffer.alloc(0), files: Buffer.alloc(0) };

/**
 * Saves the data that the next import need not fetch: the blobs of the present commit. A cache: a record that
 * would be too large is not saved.
 */
export async function saveRepositoryRecord(
  key: string,
  { known, last, notes, ...fields }: Reading & { known: KnownLines; last: LastReading; notes: ReadingNotes },
): Promise<void> {
  const { treeOid, trees, outline } = last;
  const part = await packed({ ...known, trees, outline, notes: Buffer.from(JSON.stringify(notes)) });
  if (sizeOf(part) > maxBytes) return;
  await GitRepository.replaceOne(
    { _id: key },
    { ...fields, treeOid, version: recordVersion, contentHash: '', parts: [part], updatedAt: new Date() },
    { upsert: true },
  );
}

type Reading = { space: string; commit: string; settings: string };

/** Records the content made of a reading: only while a space shows it can its pages be updated one by one. */
export async function noteContent(
  key: string,
  { commit, settings }: Reading,
  contentHash: string,
): Promise<void> {
  await GitRepository.updateOne({ _id: key, commit, settings }, { $set: { contentHash } });
}

/** Extends the record of the previous reading, `before`, by the results of a partial one. */
export async function extendRepositoryRecord(
  key: string,
  before: KeptReading,
  {
    commit,
    contentHash,
    pages,
    last,
  }: { commit: string; contentHash: string; pages: Lines; last: LastReading },
): Promise<void> {
  const part = await packed({ pages, trees: last.trees });
  if (before.bytes + sizeOf(part) > maxBytes) return;
  await GitRepository.updateOne(
    { _id: key, contentHash: before.contentHash, settings: before.settings },
    {
      $set: { commit, contentHash, treeOid: last.treeOid, updatedAt: new Date() },
      $push: { parts: part },
    },
  );
}

async function packed(part: GitRepositoryPart): Promise<GitRepositoryPart> {
  const entries = Object.entries(part).map(
    async ([name, bytes]) => [name, await promisify(deflate)(bytes, { level: 1 })] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function joinParts(
  parts: readonly GitRepositoryPart[],
  name: keyof GitRepositoryPart,
): Promise<Buffer> {
  const pieces = parts.flatMap((part) => part[name] ?? []);
  return Buffer.concat(await Promise.all(pieces.map((piece) => promisify(inflate)(bytesOf(piece)))));
}

/** Unwraps bytes read from the database. */
function bytesOf(value: Uint8Array | { buffer: Uint8Array }): Uint8Array {
  return value instanceof Uint8Array ? value : value.buffer;
}

function sizeOf(part: GitRepositoryPart): number {
  return Object.values(part).reduce((sum, bytes) => sum + bytesOf(bytes).length, 0);
}

/** Collects the notes of a full reading; an import that rereads only some pages repeats them. */
export function notesOf({ content, skipped }: WholeReading): ReadingNotes {
  return {
    warnings: content.warnings,
    skipped,
    pages: countPages(content.pages),
    files: content.files.length,
  };
}

function countPages(pages: readonly ImportedPage[]): number {
  return pages.reduce(
    (sum, page) => sum + (page.type === 'group' ? 0 : 1) + ('pages' in page ? countPages(page.pages) : 0),
    0,
  );
}
