import { answerOf, type Answer } from '../answer/answer.ts';
import { below, type SitePaths } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { originOf, sitePages } from './sitePages.ts';

const maxPages = 50_000;

/** `robots.txt`: search engines read public sites only, and never previews. */
export async function writeRobots(open: OpenVisit, paths: SitePaths): Promise<Answer> {
  const isOpen = open.visit.site.visibility === 'public' && !open.visitor.isPreview;
  const lines = isOpen
    ? ['User-agent: *', 'Allow: /', `Sitemap: ${originOf(open)}${below(paths.site, 'sitemap.xml')}`]
    : ['User-agent: *', 'Disallow: /'];
  return answerOf(`${lines.join('\n')}\n`, { contentType: 'text/plain; charset=utf-8' });
}

/** `llms.txt`: the pages that the visitor sees as a list in Markdown, for language models. */
export async function writeLlms(open: OpenVisit, paths: SitePaths): Promise<Answer> {
  const full = originOf(open) + below(paths.site, 'llms-full.txt');
  const lines = [`# ${oneLine(open.visit.site.title)}`, '', `> [The text of all pages](${full})`, ''];
  let count = 0;
  for await (const { page, markdownUrl } of sitePages(open, paths)) {
    const about = page.description === undefined ? '' : `: ${oneLine(page.description)}`;
    lines.push(`- [${oneLine(page.title).replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${markdownUrl})${about}`);
    if ((count += 1) >= maxPages) break;
  }
  return answerOf(`${lines.join('\n')}\n`, { contentType: 'text/markdown; charset=utf-8' });
}

/** A text without line breaks, for a line in Markdown. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
