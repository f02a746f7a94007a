import { tooLarge } from '../blobReader.ts';
import { pageFactsVersion, scanPage } from '../scanPage.ts';
import type { ContentLimits } from '../../contentLimits.ts';
import type { PageFacts, RepositoryFiles, TreeEntry } from '../types.ts';

export type FactsOptions = {
  /** Returns the facts of a blob from an earlier import, which saves reading it. */
  knownFacts?(oid: string): PageFacts | undefined;
  /** Called once for each page or include that was read, with its bytes. */
  onFacts?(oid: string, facts: PageFacts, file: Uint8Array): void | Promise<void>;
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
};

const filesPerStep = 100;

/** Returns the facts of every page and include, by blob; unknown ones are read in one batch. */
export async function readFacts(
  entries: readonly TreeEntry[],
  {
    files,
    limits,
    knownFacts,
    onFacts,
    onProgress,
    signal,
  }: FactsOptions & { files: RepositoryFiles; limits: ContentLimits },
): Promise<ReadonlyMap<string, PageFacts>> {
  const facts = new Map<string, PageFacts>();
  const unread = new Map<string, TreeEntry>();
  for (const entry of entries) {
    const known = knownFacts?.(entry.oid);
    if (known?.version === pageFactsVersion) facts.set(entry.oid, known);
    else unread.set(entry.oid, entry);
  }
  if (unread.size === 0) return facts;

  const total = facts.size + unread.size;
  const blobs = await files.readBlobs([...unread.keys()]);
  for (const [oid, entry] of unread) {
    const file = blobs.get(oid);
    if (!file) throw tooLarge(entry);
    const scanned = scanPage(file, limits);
    facts.set(oid, scanned);
    await onFacts?.(oid, scanned, file);
    if (facts.size % filesPerStep === 0 || facts.size === total) {
      signal?.throwIfAborted();
      onProgress?.(facts.size, total);
    }
  }
  return facts;
}
