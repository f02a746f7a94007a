import { html, type Html } from '@bindery/html';
import { answerOf } from '../answer/answer.ts';
import type { Made } from '../answer/keptAnswers.ts';
import {
  loadSiteContents,
  type PlacedContent,
  type SiteContents,
  type SitePlace,
} from '../page/siteContents.ts';
import { pagePath } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { originOf, sitePages, type SitePage } from './sitePages.ts';

/** A sitemap has at most this many addresses. */
const maxPages = 50_000;

/**
 * `sitemap.xml`: the pages that the visitor sees and that search engines may show, each with the same page in
 * the variants of its section that are in other languages.
 */
export async function writeSitemap(open: OpenVisit, place: SitePlace): Promise<Made> {
  const contents = await loadSiteContents(open, place);
  const entries: Html[] = [];
  const [variants, origin] = [variantsOf(open, contents), originOf(open)];
  for (const each of sitePages(open, contents)) {
    const { page, url } = each;
    if (page.noIndex || page.noRobotsIndex) continue;
    const links = languagesOf(each, { variants, origin }).map(
      ({ language, href }) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`,
    );
    entries.push(html`<url><loc>${url}</loc><lastmod>${page.updatedAt}</lastmod>${links}</url>\n`);
    if (entries.length >= maxPages) break;
  }
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('')}</urlset>
`;
  const answer = answerOf(text, { contentType: 'application/xml; charset=utf-8' });
  return { answer, isLasting: contents.isWhole, specs: contents.specs };
}

/** A site space whose texts have a language. */
type Variant = PlacedContent & { language: string };

function variantsOf({ visit: { spaces } }: OpenVisit, { placed }: SiteContents): Variant[] {
  return placed.flatMap((place) => {
    const language = spaces.get(place.siteSpace.space)?.language;
    return language === undefined ? [] : [{ ...place, language }];
  });
}

/**
 * A page in all languages of its section, its own first. A translation has the ids of its source; a variant
 * that was made by hand has at most the same path. Empty when there is one language.
 */
function languagesOf(
  { siteSpace: own, page, url }: SitePage,
  { variants, origin }: { variants: readonly Variant[]; origin: string },
): { language: string; href: string }[] {
  const inSection = variants.filter(({ siteSpace }) => siteSpace.section === own.section);
  const here = inSection.find(({ siteSpace }) => siteSpace._id === own._id);
  if (!here) return [];
  const found = new Map([[here.language, url]]);
  for (const { language, base, content } of inSection) {
    if (found.has(language)) continue;
    const same = content.pages.byId.get(page.id) ?? content.pages.byPath.get(page.path);
    const href = same && pagePath(same.page, { base, pages: content.pages });
    if (href !== undefined) found.set(language, origin + href);
  }
  if (found.size === 1) return [];
  return Array.from(found, ([code, href]) => ({ language: tagOf(code), href }));
}

/** The code of a language as search engines know it (BCP 47): `pt-BR`. */
function tagOf(code: string): string {
  return Intl.getCanonicalLocales(code)[0] ?? code;
}
