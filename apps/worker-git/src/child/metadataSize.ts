import { JobError } from '@bindery/contract/jobErrors';
import type { PageFacts, SpaceContent } from '@bindery/dialect/repository-format';
import { megabytes } from '@bindery/git-remote';

/** A page needs a few hundred characters of it: enough for fifty thousand ordinary pages. */
const maxCharacters = 64 * 1024 * 1024;

/**
 * Limits the size of the metadata of pages and files. It is sent to the worker in one message, and one file
 * that a tree lists fifty thousand times counts as many pages.
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
  return new JobError(
    'limit',
    `The titles, descriptions and links of the pages together exceed ${megabytes(maxCharacters)}.`,
    {
      action: 'Shorten the frontmatter of the pages, or divide them among several spaces.',
    },
  );
}
