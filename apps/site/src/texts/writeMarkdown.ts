import { ApiError } from '@bindery/contract';
import { isWrittenAnew, markdownOfPage, readMarkdown } from '@bindery/publishing';
import type { PageQuery } from '@bindery/contract';
import { answerOf, type Answer } from '../answer/answer.ts';
import type { PageVisit } from '../page/showPage.ts';
import type { SitePlatform } from '../sitePlatform.ts';

/** The Markdown of a page as its visitor sees it; undefined for pages without text. */
export async function writeMarkdown(
  { found: { page }, content: { revision }, visitor }: PageVisit,
  { links }: SitePlatform,
): Promise<Answer | undefined> {
  if (page.type !== 'document') return undefined;
  const query = { format: 'markdown', 'format.markdown.refs': 'relative', evaluated: 'true' } as PageQuery;
  const reading = { links, revision, reader: { visitor }, query };
  const stored = await markdownOfPage(revision, page);
  const text = await readMarkdown(page, stored, reading).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const titled =
    isWrittenAnew(stored, reading) || /^#\s/.test(text.trimStart()) ? text : `# ${page.title}\n\n${text}`;
  return answerOf(titled, { contentType: 'text/markdown; charset=utf-8' });
}
