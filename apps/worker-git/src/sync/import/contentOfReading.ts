import {
  buildRevisionContent,
  markdownOf,
  type KnownBlobs,
  type PageTree,
  type PreviousContent,
  type RevisionContent,
} from '@bindery/content';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { RevisionRecord } from '@bindery/models';
import type { WholeReading } from '../../child/repositoryReading.ts';
import { loadContent } from '../syncedContent.ts';

/**
 * Builds the content that an import makes of a reading, and the content of `current`, which it replaces. An
 * import and its dry run build the same.
 *
 * @param from.mergedInto  the present content of the space, if the content is merged into it: what both sides
 *   created is one object, as when a branch with an earlier export was merged elsewhere
 * @param from.sourcesOf   reads sources of pages by their hash
 */
export async function contentOfReading(
  reading: WholeReading,
  from: {
    current: RevisionRecord;
    mergedInto?: RevisionRecord | undefined;
    blobs: KnownBlobs;
    sourcesOf(hashes: string[]): Promise<ReadonlyMap<string, PageSource>>;
  },
): Promise<{ previous: RevisionContent; content: RevisionContent }> {
  const { blobs } = from;
  const previous = await loadContent(from.current);
  const content = await buildRevisionContent(reading.content, {
    previous: from.mergedInto ? withCreated(previous, await loadContent(from.mergedInto)) : previous,
    blobs,
    changedAt: new Date().toISOString(),
    textOf: async (hashes) =>
      new Map([...(await from.sourcesOf(hashes))].map(([hash, source]) => [hash, markdownOf(source)])),
  });
  return { previous, content };
}

function withCreated(base: RevisionContent, now: RevisionContent): PreviousContent {
  const known = new Set([...flat(base.pages), ...base.files, ...base.reusableContents].map(({ id }) => id));
  const isCreated = ({ id }: { id: string }) => !known.has(id);
  return {
    pages: base.pages,
    files: [...base.files, ...now.files.filter(isCreated)],
    reusableContents: [...base.reusableContents, ...now.reusableContents.filter(isCreated)],
    created: flat(now.pages).filter(isCreated),
  };
}

function flat(pages: readonly PageTree[]): PageTree[] {
  return pages.flatMap((page) => ('pages' in page ? [{ ...page, pages: [] }, ...flat(page.pages)] : [page]));
}
