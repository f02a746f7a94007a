import { html, type Html } from '@bindery/html';
import { answerOf, type Answer } from '../answer/answer.ts';
import { loadSiteContent, type SiteContent } from '../page/siteContent.ts';
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
  const variants = await variantsOf(open, paths);
  for await (const each of sitePages(open, paths)) {
    const { page, url } = each;
    if (page.noIndex || page.noRobotsIndex) continue;
    const links = languagesOf(each, variants).map(
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

/** A site space whose texts have a language, with its content. */
type Variant = { section: string | undefined; language: string; base: string; content: SiteContent };

/** The site spaces with a language: each is read once for all pages. */
async function variantsOf(open: OpenVisit, paths: SitePaths): Promise<Variant[]> {
  const { tree, spaces } = open.visit;
  const origin = originOf(open);
  const variants: Variant[] = [];
  for (const { _id, section, space } of tree.siteSpaces) {
    const language = spaces.get(space)?.language;
    const path = paths.siteSpace(_id);
    const content = language === undefined ? undefined : await loadSiteContent(space, open);
    if (language !== undefined && path !== undefined && content)
      variants.push({ section, language, base: origin + path, content });
  }
  return variants;
}

/**
 * A page in all languages of its section, its own first. A translation has the ids of its source; a variant
 * that was made by hand has at most the same path. Empty when there is one language.
 */
function languagesOf(
  { siteSpace, content: own, page, url }: SitePage,
  variants: readonly Variant[],
): { language: string; href: string }[] {
  const inSection = variants.filter(({ section }) => section === siteSpace.section);
  const here = inSection.find(({ content }) => content.revision._id === own.revision._id);
  if (!here) return [];
  const found = new Map([[here.language, url]]);
  for (const { language, base, content } of inSection) {
    if (found.has(language)) continue;
    const same = content.pages.byId.get(page.id) ?? content.pages.byPath.get(page.path);
    const href = same && pagePath(same.page, { base, pages: content.pages });
    if (href !== undefined) found.set(language, href);
  }
  if (found.size === 1) return [];
  return Array.from(found, ([code, href]) => ({ language: tagOf(code), href }));
}

/** The code of a language as search engines know it (BCP 47): `pt-BR`. */
function tagOf(code: string): string {
  return Intl.getCanonicalLocales(code)[0] ?? code;
}
