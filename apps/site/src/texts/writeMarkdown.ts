import { ApiError } from '@bindery/contract';
import { isWrittenAnew, markdownOfPage, readMarkdown } from '@bindery/publishing';
import type { PageQuery } from '@bindery/contract';
import { answerOf, type Answer } from '../answer/answer.ts';
import type { SiteContent } from '../page/siteContent.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import type { SitePage } from './sitePages.ts';

type Source = Pick<OpenVisit, 'visitor'> & { content: SiteContent };

/** The Markdown of a page as its visitor sees it; undefined for a page that takes too long to read. */
export async function writeMarkdown(
  page: SitePage['page'],
  source: Source,
  platform: SitePlatform,
): Promise<Answer | undefined> {
  const text = await markdownFor(page, source, platform);
  return text === undefined ? undefined : answerOf(text, { contentType: 'text/markdown; charset=utf-8' });
}

/** The text of that answer. */
export async function markdownFor(
  page: SitePage['page'],
  { content: { revision }, visitor }: Source,
  { links }: SitePlatform,
): Promise<string | undefined> {
  const query = { format: 'markdown', 'format.markdown.refs': 'relative', evaluated: 'true' } as PageQuery;
  const reading = { links, revision, reader: { visitor }, query };
  try {
    const stored = await markdownOfPage(revision, page);
    const text = await readMarkdown(page, stored, reading);
    const isTitled = isWrittenAnew(stored, reading) || /^#\s/.test(text.trimStart());
    return isTitled ? text : `# ${page.title}\n\n${text}`;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
