import { searchPages, showPages } from '@bindery/content';
import { html, type Html } from '@bindery/html';
import type { Answer } from '../answer/answer.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { showMessage } from './showMessage.ts';
import { loadSiteContent } from './siteContent.ts';
import { pagePath, type SitePaths } from './sitePaths.ts';

const maxResults = 20;
const maxQuery = 200;

/** The results of a search in everything that the visitor sees of a site. */
export async function showSearch(
  { visit, visitor, url }: OpenVisit,
  { paths }: { paths: SitePaths },
): Promise<Answer> {
  const query = (url.searchParams.get('q') ?? '').slice(0, maxQuery).trim();
  const spaces = [...new Set(visit.tree.siteSpaces.map(({ space }) => space))];
  const found = await searchPages(spaces, { query, claims: visitor.claims });
  const best = found.ranked.slice(0, maxResults).map((page, index) => ({ ...page, rank: index + 1 }));
  const items: Html[] = [];
  for (const { space, page, title, description, ancestors, sections } of await showPages(best, found)) {
    const content = await loadSiteContent(space, { visit, visitor });
    const shown = content?.pages.byId.get(page);
    const base = paths.space(space) ?? paths.site;
    const href = shown && content && pagePath(shown.page, { base, pages: content.pages });
    if (href === undefined) continue;
    const text = sections[0]?.body || description;
    items.push(html`<li><a href="${href}">${title}</a>
${ancestors.length > 0 && html`<p>${ancestors.join(' / ')}</p>`}
${text && html`<p>${text}</p>`}</li>`);
  }
  const title = query === '' ? 'Search' : `Search: ${query}`;
  const count = found.ranked.length;
  const summary =
    query === '' ? 'Enter the words to look for.' : `${count} ${count === 1 ? 'page' : 'pages'} found.`;
  const main = html`<p role="status">${summary}</p><ol class="results">${items}</ol>`;
  return showMessage({ visit }, { title, main, paths, query });
}
