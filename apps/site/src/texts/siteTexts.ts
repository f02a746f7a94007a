import { html, type Html } from '@bindery/html';
import { answerOf, type Answer } from '../answer/answer.ts';
import { loadSiteContent } from '../page/siteContent.ts';
import { below, pagePath, type SitePaths } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

const plain = 'text/plain; charset=utf-8';
/** A sitemap has at most this many addresses. */
const maxPages = 50_000;

type SitePage = { url: string; title: string; description?: string | undefined; updatedAt: string };

/** `robots.txt`: search engines read public sites only, and never previews. */
export async function writeRobots({ visit, visitor }: OpenVisit, paths: SitePaths): Promise<Answer> {
  const isOpen = visit.site.visibility === 'public' && !visitor.isPreview;
  const origin = new URL(visit.canonicalUrl).origin;
  const lines = isOpen
    ? ['User-agent: *', 'Allow: /', `Sitemap: ${origin}${below(paths.site, 'sitemap.xml')}`]
    : ['User-agent: *', 'Disallow: /'];
  return answerOf(`${lines.join('\n')}\n`, { contentType: plain });
}

/** `sitemap.xml`: the pages that the visitor sees and that search engines may show. */
export async function writeSitemap(open: OpenVisit, paths: SitePaths): Promise<Answer> {
  const entries: Html[] = [];
  for await (const { url, updatedAt } of pagesOf(open, paths, { isIndexed: true }))
    entries.push(html`<url><loc>${url}</loc><lastmod>${updatedAt}</lastmod></url>\n`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('')}</urlset>
`;
  return answerOf(text, { contentType: 'application/xml; charset=utf-8' });
}

/** `llms.txt`: the pages that the visitor sees as a list in Markdown, for language models. */
export async function writeLlms(open: OpenVisit, paths: SitePaths): Promise<Answer> {
  const lines = [`# ${oneLine(open.visit.site.title)}`, ''];
  for await (const { url, title, description } of pagesOf(open, paths, { isIndexed: false })) {
    const about = description === undefined ? '' : `: ${oneLine(description)}`;
    lines.push(`- [${oneLine(title).replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${url}.md)${about}`);
  }
  return answerOf(`${lines.join('\n')}\n`, { contentType: 'text/markdown; charset=utf-8' });
}

async function* pagesOf(
  { visit, visitor }: OpenVisit,
  paths: SitePaths,
  { isIndexed }: { isIndexed: boolean },
): AsyncGenerator<SitePage> {
  const origin = new URL(visit.canonicalUrl).origin;
  let count = 0;
  for (const { _id, space } of visit.tree.siteSpaces) {
    const base = paths.siteSpace(_id);
    const content = await loadSiteContent(space, { visit, visitor });
    if (base === undefined || !content) continue;
    for (const { page, ancestors } of content.pages.byId.values()) {
      if (page.type !== 'document' || [...ancestors, page].some((each) => 'hidden' in each && each.hidden))
        continue;
      if (isIndexed && (page.noIndex || page.noRobotsIndex)) continue;
      const path = pagePath(page, { base, pages: content.pages });
      if (path === undefined) continue;
      if ((count += 1) > maxPages) return;
      yield {
        url: origin + path,
        title: page.title,
        description: page.description,
        updatedAt: page.updatedAt,
      };
    }
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
