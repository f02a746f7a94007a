import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { ContentWarning } from '@bindery/dialect/repository-format';
import type { FileItem } from '@bindery/content';
import { GitRepository, type GitRepositoryPart, type GitRepositoryRecord } from '@bindery/models';
import { signText, type Config } from '@bindery/runtime';
import type { Lines } from '../child/lines.ts';
import type { LastReading } from '../child/repositoryReading.ts';
import type { SkippedEntry } from '../git/objects/tree.ts';

/** MongoDB's limit for a record, with room to spare. */
const maxBytes = 12 * 1024 * 1024;
const recordVersion = 3;
/** A record that has grown this often is written anew by a reading of everything. */
const maxParts = 64;

/** What is known of a file, behind its blob's oid in a line. */
export type KnownFile = Pick<FileItem, 'blob' | 'sizeBytes' | 'dimensions'>;

/** What is known of a repository's blobs: lines by oid, of pages and includes as `pageLine` writes them, of files a `KnownFile` as JSON. */
export type KnownLines = { pages: Lines; files: Lines };

/** What an import tells of everything it read, also of what it did not look at again. */
export type ReadingNotes = { warnings: ContentWarning[]; skipped: SkippedEntry[]; pages: number; files: number };

export type RepositoryRecord = KnownLines & { last?: KeptReading };

/** The last reading, with what it was made by and what was made of it. */
export type KeptReading = LastReading & { settings: string; contentHash: string; notes: ReadingNotes; bytes: number; isFull: boolean };

/** The name of a repository's record: keyed, so that no tenant can guess or reach that of another. */
export function repositoryKey(
  config: Config,
  place: { organization: string; space: string; url: string; cacheId: string | undefined },
): string {
  return signText(config.secrets, 'git-repository', JSON.stringify([place.organization, place.space, place.url, place.cacheId ?? '']));
}

/** An empty record for a repository that is not known, and for one that was written by another version. */
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

/** Keeps what the next import need not fetch: the blobs of the present commit. A cache: a record that would be too large is not kept. */
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

/** Says what was made of a reading: only while a space shows that, its pages can be changed one by one. */
export async function noteContent(key: string, { commit, settings }: Reading, contentHash: string): Promise<void> {
  await GitRepository.updateOne({ _id: key, commit, settings }, { $set: { contentHash } });
}

/** Adds what a reading of some pages found to the record of the reading before, `before`. */
export async function extendRepositoryRecord(
  key: string,
  before: KeptReading,
  { commit, contentHash, pages, last }: { commit: string; contentHash: string; pages: Lines; last: LastReading },
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
  const entries = Object.entries(part).map(async ([name, bytes]) => [name, await promisify(deflate)(bytes, { level: 1 })] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function joinParts(parts: readonly GitRepositoryPart[], name: keyof GitRepositoryPart): Promise<Buffer> {
  const pieces = parts.flatMap((part) => part[name] ?? []);
  return Buffer.concat(await Promise.all(pieces.map((piece) => promisify(inflate)(bytesOf(piece)))));
}

/** A value of the database as it is read there: the driver wraps bytes. */
function bytesOf(value: Uint8Array | { buffer: Uint8Array }): Uint8Array {
  return value instanceof Uint8Array ? value : value.buffer;
}

function sizeOf(part: GitRepositoryPart): number {
  return Object.values(part).reduce((sum, bytes) => sum + bytesOf(bytes).length, 0);
}
