import { pageFields, type NamedFile, type PageFields } from '../pageFields.ts';
import { pageFactsVersion } from '../scanPage.ts';
import type { PageFacts } from '../types.ts';

/**
 * What a page becomes by another text in its file, in a repository that holds the same files as before.
 *
 * @param file    as the navigation names it, with the new blob
 * @param before  the facts that the space's content was made of
 * @returns undefined when the new text has to do with more than its own page: with the files of the space or the warnings of the import
 */
export function rereadPage(file: NamedFile, { before, after }: { before: PageFacts; after: PageFacts }): PageFields | undefined {
  if (before.version !== pageFactsVersion || reachOf(before) !== reachOf(after)) return undefined;
  return pageFields(file, after);
}

/** What a page leads to, and what is wrong with it. Facts of equal text have their keys in the same order; of others it only costs time. */
function reachOf({ targets, problems, frontmatter: { cover, coverY, coverHeight } = {} }: PageFacts): string {
  return JSON.stringify([targets, problems, cover, coverY, coverHeight]);
}
