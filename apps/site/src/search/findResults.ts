import { searchPages, showPages } from '@bindery/content';
import { loadSiteContent } from '../page/siteContent.ts';
import { pagePath, type SitePaths } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

const maxQuery = 200;

/** A page that a search has found: its path, the titles above it, and the words around the first match. */
export type Result = { href: string; title: string; above: readonly string[]; text: string };

/** `count` is the number of all pages that were found, `results` are the best of them. */
export type Results = { query: string; count: number; results: Result[] };

/** Searches everything that the visitor sees of a site for the words of the parameter `q`. */
export async function findResults(
  { visit, visitor, url }: OpenVisit,
  { paths, maxResults }: { paths: SitePaths; maxResults: number },
): Promise<Results> {
  const query = (url.searchParams.get('q') ?? '').slice(0, maxQuery).toWellFormed().trim();
  const spaces = [...new Set(visit.tree.siteSpaces.map(({ space }) => space))];
  const found = await searchPages(spaces, { query, claims: visitor.claims });
  const best = found.ranked.slice(0, maxResults).map((page, index) => ({ ...page, rank: index + 1 }));
  const results: Result[] = [];
  for (const { space, page, title, description, ancestors, sections } of await showPages(best, found)) {
    const content = await loadSiteContent(space, { visit, visitor });
    const shown = content?.pages.byId.get(page);
    const base = paths.space(space) ?? paths.site;
    const href = shown && content && pagePath(shown.page, { base, pages: content.pages });
    if (href === undefined) continue;
    results.push({ href, title, above: ancestors, text: sections[0]?.body || (description ?? '') });
  }
  return { query, count: found.ranked.length, results };
}
