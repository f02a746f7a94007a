import { buildRevisionContent, markdownOf, type KnownBlobs, type RevisionContent } from '@bindery/content';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { RevisionRecord } from '@bindery/models';
import type { WholeReading } from '../../child/repositoryReading.ts';
import { loadContent } from '../syncedContent.ts';

/**
 * Builds the content that an import makes of a reading, and the content of `current`, which it replaces. An
 * import and its dry run build the same.
 *
 * @param from.sourcesOf  reads sources of pages by their hash
 */
export async function contentOfReading(
  reading: WholeReading,
  from: {
    current: RevisionRecord;
    blobs: KnownBlobs;
    sourcesOf(hashes: string[]): Promise<ReadonlyMap<string, PageSource>>;
  },
): Promise<{ previous: RevisionContent; content: RevisionContent }> {
  const { blobs } = from;
  const previous = await loadContent(from.current);
  const content = await buildRevisionContent(reading.content, {
    previous,
    blobs,
    changedAt: new Date().toISOString(),
    textOf: async (hashes) =>
      new Map([...(await from.sourcesOf(hashes))].map(([hash, source]) => [hash, markdownOf(source)])),
  });
  return { previous, content };
}
