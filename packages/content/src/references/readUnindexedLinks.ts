import type { RevisionRecord } from '@bindery/models';
import { documentOf, sourcesOf } from './linkSources.ts';
import { loadFacts } from './loadFacts.ts';
import { loadReferenceContext } from './referenceContext.ts';

/**
 * Reads and stores the links of the documents that no search finds: reusable contents, and pages that are
 * excluded. The indexer stores those of all other pages as it parses them.
 *
 * @param signal  aborts between two batches; the links read so far are stored
 */
export async function readUnindexedLinks(
  revision: RevisionRecord,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const sources = [...sourcesOf(await loadReferenceContext(revision))].filter(
    ({ page }) => !page || (page.type === 'document' && page.noIndex === true),
  );
  await loadFacts(
    revision.organization,
    sources.flatMap((source) => documentOf(source) ?? []),
    { signal },
  );
}
