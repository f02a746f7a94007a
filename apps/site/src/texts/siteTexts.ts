import { answerOf } from '../answer/answer.ts';
import type { Made } from '../answer/keptAnswers.ts';
import { loadSiteContents, type SitePlace } from '../page/siteContents.ts';
import { below } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { originOf, sitePages } from './sitePages.ts';

const maxPages = 50_000;

/** `robots.txt`: search engines read public sites only, and never previews. */
export async function writeRobots(open: OpenVisit, { paths }: SitePlace): Promise<Made> {
  const isOpen = open.visit.site.visibility === 'public' && !open.visitor.isPreview;
  const lines = isOpen
    ? ['User-agent: *', 'Allow: /', `Sitemap: ${originOf(open)}${below(paths.site, 'sitemap.xml')}`]
    : ['User-agent: *', 'Disallow: /'];
  const answer = answerOf(`${lines.join('\n')}\n`, { contentType: 'text/plain; charset=utf-8' });
  return { answer, isLasting: true };
}

/** `llms.txt`: the pages that the visitor sees as a list in Markdown, for language models. */
export async function writeLlms(open: OpenVisit, { paths, platform }: SitePlace): Promise<Made> {
  const contents = await loadSiteContents(open, { paths, platform });
  const full = originOf(open) + below(paths.site, 'llms-full.txt');
  const lines = [`# ${oneLine(open.visit.site.title)}`, '', `> [The text of all pages](${full})`, ''];
  let count = 0;
  for (const { page, markdownUrl } of sitePages(open, contents)) {
    const about = page.description === undefined ? '' : `: ${oneLine(page.description)}`;
    lines.push(`- [${oneLine(page.title).replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${markdownUrl})${about}`);
    if ((count += 1) >= maxPages) break;
  }
  const answer = answerOf(`${lines.join('\n')}\n`, { contentType: 'text/markdown; charset=utf-8' });
  return { answer, isLasting: contents.isWhole, specs: contents.specs };
}

/** A text without line breaks, for a line in Markdown. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
