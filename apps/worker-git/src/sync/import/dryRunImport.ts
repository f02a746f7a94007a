import { open } from 'node:fs/promises';
import { describeContentChanges, loadDocuments } from '@bindery/content';
import { splitFrontmatter, type PageSource } from '@bindery/dialect/frontmatter';
import type { GitImportChanges } from '@bindery/contract';
import type { Run } from '@bindery/jobs';
import type { RevisionRecord } from '@bindery/models';
import type { BlobStore } from '@bindery/storage';
import { contentOfReading } from './contentOfReading.ts';
import { requireKnown } from './knownContent.ts';
import type { WholeReading } from '../../child/repositoryReading.ts';
import type { RepositoryRecord } from '../repositoryRecord.ts';
import { blobsOf, readBlob } from './storeBlobs.ts';

/**
 * Finds the changes of an import in the same way as the import, but without a write: the sources of new pages
 * come from the spool file of the reading, all others from the store.
 *
 * @param found.current  the revision that the space shows
 */
export async function dryRunImport(found: {
  run: Run;
  current: RevisionRecord;
  reading: WholeReading;
  record: RepositoryRecord;
  /** Key of the record. */
  key: string;
  blobs: BlobStore;
}): Promise<GitImportChanges> {
  const { run, current, reading, record, key, blobs } = found;
  const spool = await open(reading.spool.path, 'r');
  try {
    const sourcesOf = sourcesIn(spool, reading, current.organization);
    const contents = await contentOfReading(reading, { current, blobs: blobsOf(reading, record), sourcesOf });
    await requireKnown(contents, { key, organization: current.organization, reading, blobs });
    run.progress('finalize');
    return await describeContentChanges(contents.previous, contents.content, {
      sourcesOf,
      signal: run.signal,
    });
  } finally {
    await spool.close();
  }
}

function sourcesIn(spool: Parameters<typeof readBlob>[0], reading: WholeReading, organization: string) {
  const spooled = new Map([...reading.spool.blobs.values()].map((blob) => [blob.sha256, blob]));
  return async (hashes: string[]): Promise<Map<string, PageSource>> => {
    const found = await loadDocuments(
      organization,
      hashes.filter((hash) => !spooled.has(hash)),
    );
    for (const hash of hashes) {
      const blob = spooled.get(hash);
      if (blob) found.set(hash, splitFrontmatter(await readBlob(spool, blob)));
    }
    return found;
  };
}

/** Returns the changes of an import without any. */
export function noChanges(): Promise<GitImportChanges> {
  const nothing = { pages: [], files: [], reusableContents: [], variables: [], redirects: [] };
  return describeContentChanges(nothing, nothing, { sourcesOf: async () => new Map() });
}
