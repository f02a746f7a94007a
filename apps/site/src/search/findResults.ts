import { searchPages, showPages, type ShownPage } from '@bindery/content';
import { loadSiteContent, type SiteContent } from '../page/siteContent.ts';
import type { SitePlace } from '../page/siteContents.ts';
import { fragmentOf, pagePath } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { loadSpecPagesToSearch } from './specPagesToSearch.ts';

const maxQuery = 200;

/**
 * A page that a search has found: the titles above it, and the words around the first match. The path is that
 * of the section that matches best, which the title names then, unless the title of the page has all words.
 */
export type Result = { href: string; title: string; above: readonly string[]; text: string };

/** `count` is the number of all pages that were found, `results` are the best of them. */
export type Results = { query: string; count: number; results: Result[] };

/** Searches everything that the visitor sees of a site for the words of the parameter `q`. */
export async function findResults(
  open: OpenVisit,
  { paths, platform, maxResults }: SitePlace & { maxResults: number },
): Promise<Results> {
  const { visit, visitor, url } = open;
  const query = (url.searchParams.get('q') ?? '').slice(0, maxQuery).toWellFormed().trim();
  const spaces = [...new Set(visit.tree.siteSpaces.map(({ space }) => space))];
  if (query === '') return { query, count: 0, results: [] };
  const { contents, computed } = await loadSpecPagesToSearch(open, platform);
  const found = await searchPages(spaces, { query, claims: visitor.claims, computed });
  const best = found.ranked.slice(0, maxResults).map((page, index) => ({ ...page, rank: index + 1 }));
  const read = new Map<string, SiteContent | undefined>(contents);
  const results: Result[] = [];
  for (const shown of await showPages(best, found)) {
    const { space, ancestors, description = '', sections } = shown;
    if (!read.has(space)) read.set(space, await loadSiteContent(space, { visit, visitor }));
    const place = placeOf(shown, { content: read.get(space), base: paths.space(space) ?? paths.site });
    if (place) results.push({ ...place, above: ancestors, text: sections[0]?.body || description });
  }
  return { query, count: found.ranked.length, results };
}

/** Where a result leads; undefined when its page was removed since. */
function placeOf(
  { page, title, isNamed, sections: [section] }: ShownPage,
  { content, base }: { content: SiteContent | undefined; base: string },
): Pick<Result, 'href' | 'title'> | undefined {
  const found = content?.pages.byId.get(page);
  const href = found && content && pagePath(found.page, { base, pages: content.pages });
  if (href === undefined) return undefined;
  if (isNamed || !section?.id) return { href, title };
  const fragment = fragmentOf({ kind: 'anchor', anchor: section.id });
  return { href: href + fragment, title: section.title ? `${title} / ${section.title}` : title };
}
