import type { RankedPage } from '@bindery/content';
import { cutPage, type PageCursor, type PageQuery } from '../../http/answer/paging.ts';

/** What a search lists: the page itself, or a space by its best page. */
type RankedResult = RankedPage & { rank: number };

/** How the query was read, and the place of the last result. */
type ResultCursor = readonly [reading: number, score: number, page: string, space: string];

/**
 * How the query was read on the page before, so that this one goes on with the same results; undefined at the
 * beginning.
 */
export function readingOf({ after }: Pick<PageQuery, 'after'>): number | undefined {
  return after && Number(after[0]);
}

/**
 * Cuts ranked results to a page.
 *
 * The next page begins behind the last result, wherever that stands by then; where it is gone, behind its
 * score.
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
