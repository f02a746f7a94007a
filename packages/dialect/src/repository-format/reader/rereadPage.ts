import { pageFields, type NamedFile, type PageFields } from '../pageFields.ts';
import { pageFactsVersion } from '../scanPage.ts';
import type { PageFacts } from '../types.ts';

/**
 * Updates a page after a change of its file, in a repository with the same files as before.
 *
 * @param file    the file with its labels in the navigation and the new blob
 * @param before  the facts from which the space's content was made
 * @returns undefined when the change affects more than its own page: the files of the space or the warnings
 *   of the import
 */
export function rereadPage(
  file: NamedFile,
  { before, after }: { before: PageFacts; after: PageFacts },
): PageFields | undefined {
  if (before.version !== pageFactsVersion || reachOf(before) !== reachOf(after)) return undefined;
  return pageFields(file, after);
}

/**
 * The targets and problems of a page. Facts of equal texts have their keys in the same order; for others, a
 * false difference only costs time.
 */
function reachOf({ targets, problems, frontmatter: { cover, coverY, coverHeight } = {} }: PageFacts): string {
  return JSON.stringify([targets, problems, cover, coverY, coverHeight]);
}
