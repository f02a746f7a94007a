import { html, type Html } from '@bindery/html';
import { answerOf, type Answer } from '../answer/answer.ts';
import { loadSiteContent } from '../page/siteContent.ts';
import { pagePath, type SitePaths } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { originOf, sitePages, type SitePage } from './sitePages.ts';

/** A sitemap has at most this many addresses. */
const maxPages = 50_000;

/**
 * `sitemap.xml`: the pages that the visitor sees and that search engines may show, each with the same page in
 * the variants of its section that are in other languages.
 */
export async function writeSitemap(open: OpenVisit, paths: SitePaths): Promise<Answer> {
  const entries: Html[] = [];
  for await (const each of sitePages(open, paths)) {
    const { page, url } = each;
    if (page.noIndex || page.noRobotsIndex) continue;
    const links = (await languagesOf(each, open, paths)).map(
      ({ language, href }) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`,
    );
    entries.push(html`<url><loc>${url}</loc><lastmod>${page.updatedAt}</lastmod>${links}</url>\n`);
    if (entries.length >= maxPages) break;
  }
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('')}</urlset>
`;
  return answerOf(text, { contentType: 'application/xml; charset=utf-8' });
}

/**
 * A page in all languages of its section, its own first. A translation has the ids of its source; a variant
 * that was made by hand has at most the same path. Empty when there is one language.
 */
async function languagesOf(
  { siteSpace, page, url }: SitePage,
  open: OpenVisit,
  paths: SitePaths,
): Promise<{ language: string; href: string }[]> {
  const { tree, spaces } = open.visit;
  const language = spaces.get(siteSpace.space)?.language;
  if (language === undefined) return [];
  const found = new Map([[language, url]]);
  for (const variant of tree.siteSpaces.filter(({ section }) => section === siteSpace.section)) {
    const other = spaces.get(variant.space)?.language;
    if (other === undefined || found.has(other)) continue;
    const content = await loadSiteContent(variant.space, open);
    const same = content?.pages.byId.get(page.id) ?? content?.pages.byPath.get(page.path);
    const base = paths.siteSpace(variant._id);
    const path = same && content && base && pagePath(same.page, { base, pages: content.pages });
    if (path) found.set(other, originOf(open) + path);
  }
  if (found.size === 1) return [];
  return Array.from(found, ([code, href]) => ({ language: tagOf(code), href }));
}

/** The code of a language as search engines know it (BCP 47): `pt-BR`. */
function tagOf(code: string): string {
  return Intl.getCanonicalLocales(code)[0] ?? code;
}
