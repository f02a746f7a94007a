import {
  buildRevisionContent,
  diffContent,
  markdownOf,
  treeOf,
  type KnownBlobs,
  type ListDiff,
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
  const { current, mergedInto } = from;
  const previous = await loadContent(current);
  const content = await buildRevisionContent(reading.content, {
    previous: mergedInto ? await withCreated(previous, { base: current, now: mergedInto }) : previous,
    blobs,
    changedAt: new Date().toISOString(),
    textOf: async (hashes) =>
      new Map([...(await from.sourcesOf(hashes))].map(([hash, source]) => [hash, markdownOf(source)])),
  });
  return { previous, content };
}

/** Adds the pages, files and reusable contents that the space got since to the content last in sync. */
async function withCreated(
  content: RevisionContent,
  { base, now }: Record<'base' | 'now', RevisionRecord>,
): Promise<PreviousContent> {
  const { pages, files, reusableContents } = await diffContent(base, now);
  return {
    pages: content.pages,
    files: [...content.files, ...createdIn(files)],
    reusableContents: [...content.reusableContents, ...createdIn(reusableContents)],
    created: [...pages.values()].flatMap((change) =>
      change.kind === 'created' ? [treeOf(change.after.page, () => [])] : [],
    ),
  };
}

function createdIn<Item>(changes: ListDiff<Item>): Item[] {
  return changes.flatMap(({ before, after }) => (before === undefined && after !== undefined ? [after] : []));
}
