import { JobError } from '@bindery/contract/jobErrors';
import type { PageFacts, SpaceContent } from '@bindery/dialect/repository-format';

import { megabytes } from '../git/gitLimits.ts';

/** A page comes to a few hundred characters of it: fifty thousand ordinary pages have room. */
const maxCharacters = 64 * 1024 * 1024;

/**
 * Counts what is said of pages and files beside their bytes. All of it goes to the worker at once, and one file that a tree lists fifty
 * thousand times is as many pages.
 *
 * @throws JobError limit
 */
export function refuseLargeMetadata(
  content: Pick<SpaceContent, 'pages' | 'files'>,
  facts: Iterable<readonly [oid: string, facts: PageFacts]>,
): void {
  let left = maxCharacters;
  const count = (value: object) => {
    left -= JSON.stringify(value).length;
    if (left < 0) throw tooMuchMetadata();
  };
  for (const [, found] of facts) count(found);
  for (const file of content.files) count(file);
  const levels: Iterator<SpaceContent['pages'][number]>[] = [content.pages.values()];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const { value: page, done } = level.next();
    if (done) levels.pop();
    else {
      count({ ...page, pages: undefined });
      if ('pages' in page) levels.push(page.pages.values());
    }
  }
}

function tooMuchMetadata(): JobError {
  return new JobError('limit', `The titles, descriptions and links of the pages together exceed ${megabytes(maxCharacters)}.`, {
    action: 'Shorten the frontmatter of the pages, or divide them among several spaces.',
  });
}
