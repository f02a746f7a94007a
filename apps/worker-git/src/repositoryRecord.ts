import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { FileItem, PageFacts } from '@bindery/content';
import { GitRepository, type GitRepositoryRecord } from '@bindery/models';
import { signText, type Config } from '@bindery/runtime';

/** MongoDB's limit for a record, with room to spare. */
const maxBytes = 12 * 1024 * 1024;
const recordVersion = 1;

/** A page's blob: what scanning it found, and the hash under which its source is stored. */
export type KnownPage = { facts: PageFacts; document: string };
type KnownFile = Pick<FileItem, 'blob' | 'sizeBytes' | 'dimensions'>;

/** What is known of a repository's blobs, by oid. */
export type RepositoryRecord = { pages: Map<string, KnownPage>; files: Map<string, KnownFile> };

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
  if (!stored) return { pages: new Map(), files: new Map() };
  const bytes = Buffer.isBuffer(stored.facts) ? stored.facts : Buffer.from((stored.facts as { buffer: Uint8Array }).buffer);
  const { version, pages, files } = JSON.parse((await promisify(inflate)(bytes)).toString()) as {
    version: number;
    pages: [string, KnownPage][];
    files: [string, KnownFile][];
  };
  return version === recordVersion ? { pages: new Map(pages), files: new Map(files) } : { pages: new Map(), files: new Map() };
}

/** Keeps what the next import need not fetch: the blobs of the present commit. A cache: a record that would be too large is not kept. */
export async function saveRepositoryRecord(
  key: string,
  { space, commit, known }: { space: string; commit: string; known: RepositoryRecord },
): Promise<void> {
  const facts = await promisify(deflate)(JSON.stringify({ version: recordVersion, pages: [...known.pages], files: [...known.files] }), {
    level: 1,
  });
  if (facts.length > maxBytes) return;
  await GitRepository.updateOne({ _id: key }, { $set: { space, commit, facts, updatedAt: new Date() } }, { upsert: true });
}
