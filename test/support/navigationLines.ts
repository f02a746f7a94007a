import type { ImportedPage, SpaceContent } from '@bindery/dialect/repository-format';
import type { IndependentPage } from './independentReader.ts';

/** Converts a reading to the form of the independent reader, without bodies. */
export function navigationOf({ pages }: Pick<SpaceContent, 'pages'>, depth = 0): IndependentPage[] {
  return pages.flatMap((page): IndependentPage[] => [
    entryOf(page, depth),
    ...('pages' in page ? navigationOf(page, depth + 1) : []),
  ]);
}

function entryOf(page: ImportedPage, depth: number): IndependentPage {
  const { title } = page;
  const linkTitle = 'linkTitle' in page && page.linkTitle !== undefined ? { linkTitle: page.linkTitle } : {};
  if (page.type !== 'document') return { depth, kind: page.type, title, ...linkTitle };
  return page.git
    ? { depth, kind: 'page', title, ...linkTitle, path: page.git.path }
    : { depth, kind: 'empty', title, ...linkTitle };
}
