import type { RankedPage } from '@bindery/content';
import { cutPage, type PageCursor, type PageQuery } from '../../http/answer/paging.ts';

/** A ranked search result: a page, or a space with the rank of its best page. */
type RankedResult = RankedPage & { rank: number };

/** The interpretation of the query, and the position of the last result. */
type ResultCursor = readonly [reading: number, score: number, page: string, space: string];

/**
 * The interpretation of the query used for the page before, so that this page continues the same results;
 * undefined for the first page.
 */
export function readingOf({ after }: Pick<PageQuery, 'after'>): number | undefined {
  return after && Number(after[0]);
}

/**
 * Cuts ranked results to a page.
 *
 * The next page starts after the last result, wherever it is ranked by then; if it is gone, after its score.
 */
export function pageOfResults<Result extends { best: RankedResult }>(
  results: readonly Result[],
  { reading, query: { limit, after } }: { reading: number; query: PageQuery },
): { rows: Result[]; count: number; next?: PageCursor } {
  const { items, ...next } = cutPage(
    results.slice(startOf(results, after)),
    limit,
    ({ best: { score, page, space } }): ResultCursor => [reading, score, page, space],
  );
  return { rows: items, count: results.length, ...next };
}

function startOf(results: readonly { best: RankedResult }[], after: PageCursor | undefined): number {
  if (!after) return 0;
  const [, score, page, space] = after as ResultCursor;
  const last = results.findIndex(({ best }) => best.page === page && best.space === space);
  if (last >= 0) return last + 1;
  const later = results.findIndex(
    ({ best }) => best.score < score || (best.score === score && best.page > page),
  );
  return later < 0 ? results.length : later;
}
