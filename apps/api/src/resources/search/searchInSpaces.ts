import { searchPages, showPages } from '@bindery/content';
import type { VisitorClaims } from '@bindery/dialect';
import type { SearchPageResult, SearchSpaceResult } from '@bindery/contract';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import type { Links } from '../../presenters/links.ts';
import { pageOfResults, readingOf } from './pageOfResults.ts';
import { presentPageResult } from './search.presenter.ts';

/** Maximum number of pages per space in an answer; a search in the space itself finds the others. */
const pagesOfSpace = 10;

type Search = {
  links: Links;
  text: string;
  /** The claims of a visitor, who does not find content whose condition they do not meet. */
  claims?: VisitorClaims | undefined;
  query: PageQuery;
};

/** Searches the pages of one space, the best first. */
export async function searchInSpace(
  space: string,
  { links, text, claims, query }: Search,
): Promise<Page<SearchPageResult>> {
  const found = await searchPages([space], { query: text, claims, reading: readingOf(query) });
  const results = found.ranked.map((page, index) => ({ best: { ...page, rank: index + 1 } }));
  const { rows, ...page } = pageOfResults(results, { reading: found.reading, query });
  const pages = await showPages(
    rows.map(({ best }) => best),
    found,
  );
  return { ...page, items: pages.map((found) => presentPageResult(found, links)) };
}

/**
 * Searches several spaces. Answers with the spaces that have matching pages, each with its best pages; the
 * space with the best page comes first.
 *
 * @param titles  titles of the spaces to search, by id: the caller must be allowed to see them
 */
export async function searchInSpaces(
  titles: ReadonlyMap<string, string>,
  { links, text, claims, query }: Search,
): Promise<Page<SearchSpaceResult>> {
  const found = await searchPages([...titles.keys()], { query: text, claims, reading: readingOf(query) });
  const bySpace = Map.groupBy(
    found.ranked.map((page, index) => ({ ...page, rank: index + 1 })),
    ({ space }) => space,
  );
  // A map keeps the order of insertion, which is that of the best pages.
  const results = [...bySpace.values()].flatMap((pages) =>
    pages[0] ? [{ best: pages[0], pages: pages.slice(0, pagesOfSpace) }] : [],
  );
  const { rows, ...page } = pageOfResults(results, { reading: found.reading, query });
  const shown = Map.groupBy(
    await showPages(
      rows.flatMap(({ pages }) => pages),
      found,
    ),
    ({ space }) => space,
  );
  const items = rows.map(({ best: { space, score } }) => ({
    type: 'space' as const,
    id: space,
    title: titles.get(space) ?? '',
    score,
    pages: (shown.get(space) ?? []).map((found) => presentPageResult(found, links)),
  }));
  return { ...page, items };
}
