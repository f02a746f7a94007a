import { searchPages, showPages } from '@bindery/content';
import type { VisitorClaims } from '@bindery/dialect';
import type { SearchPageResult, SearchSpaceResult } from '@bindery/contract';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { pageOfResults, readingOf } from './pageOfResults.ts';
import { presentPageResult } from './search.presenter.ts';

/** Of each space; whoever wants more searches in the space itself. */
const pagesOfSpace = 10;

type Search = {
  text: string;
  /** Of a visitor: what stands on a condition that they do not meet is not there for them. */
  claims?: VisitorClaims | undefined;
  query: PageQuery;
};

/** The pages of one space that a search finds, the best first. */
export async function searchInSpace(space: string, { text, claims, query }: Search): Promise<Page<SearchPageResult>> {
  const found = await searchPages([space], { query: text, claims, reading: readingOf(query) });
  const results = found.ranked.map((page, index) => ({ best: { ...page, rank: index + 1 } }));
  const { rows, ...page } = pageOfResults(results, { reading: found.reading, query });
  const pages = await showPages(
    rows.map(({ best }) => best),
    found,
  );
  return { ...page, items: pages.map(presentPageResult) };
}

/**
 * The spaces in which a search finds pages, each with the best of them; the one with the best page comes first.
 *
 * @param titles  of the spaces that the caller may see, by their ids: nothing is found elsewhere
 */
export async function searchInSpaces(
  titles: ReadonlyMap<string, string>,
  { text, claims, query }: Search,
): Promise<Page<SearchSpaceResult>> {
  const found = await searchPages([...titles.keys()], { query: text, claims, reading: readingOf(query) });
  const bySpace = Map.groupBy(
    found.ranked.map((page, index) => ({ ...page, rank: index + 1 })),
    ({ space }) => space,
  );
  // A map keeps the order in which the spaces came first: that of their best pages.
  const results = [...bySpace.values()].flatMap((pages) => (pages[0] ? [{ best: pages[0], pages: pages.slice(0, pagesOfSpace) }] : []));
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
    pages: (shown.get(space) ?? []).map(presentPageResult),
  }));
  return { ...page, items };
}
