import { describeOpenapiBlocks, documentToMarkdownOnThread, specsShownIn } from '@bindery/content';
import { ApiError, type DocumentTree } from '@bindery/contract';
import { isWrittenAnew, markdownOfPage, readMarkdown } from '@bindery/publishing';
import type { PageQuery } from '@bindery/contract';
import { answerOf, type Answer } from '../answer/answer.ts';
import { findSpecsSeen, openSpecs, type SpecReading } from '../page/pageSpecs.ts';
import type { SiteContent } from '../page/siteContent.ts';
import type { DocumentPage } from '../page/sitePaths.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

type Source = Pick<OpenVisit, 'visit' | 'visitor'> & { content: SiteContent };

/** Written anew, a short text can become very long: a table gets all cells that its rows left out. */
const maxText = 5_000_000;

/** The Markdown of a page as its visitor sees it; undefined for a page that takes too long to read. */
export async function writeMarkdown(
  page: DocumentPage,
  source: Source,
  platform: SitePlatform,
): Promise<Answer | undefined> {
  const text = await markdownFor(page, source, platform);
  return text === undefined ? undefined : answerOf(text, { contentType: 'text/markdown; charset=utf-8' });
}

/** The text of that answer. */
export async function markdownFor(
  page: DocumentPage,
  { content, visit, visitor }: Source,
  platform: SitePlatform,
): Promise<string | undefined> {
  const { links } = platform;
  const { revision, specPages } = content;
  const made = specPages?.documents.get(page.id);
  if (made) return markdownOfSpec(page, await made(), { visit, visitor, platform });
  const query = { format: 'markdown', 'format.markdown.refs': 'relative', evaluated: 'true' } as PageQuery;
  const reading = { links, revision, reader: { visitor }, query };
  try {
    const stored = await markdownOfPage(revision, page);
    const text = await readMarkdown(page, stored, reading);
    if (text.length > maxText) return undefined;
    const isTitled = isWrittenAnew(stored, reading) || /^#\s/.test(text.trimStart());
    return isTitled ? text : `# ${page.title}\n\n${text}`;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** A page of a specification has no stored text: its blocks are described in words. */
async function markdownOfSpec(
  { title }: DocumentPage,
  document: DocumentTree | undefined,
  reading: SpecReading,
): Promise<string | undefined> {
  if (!document) return undefined;
  const seen = await findSpecsSeen([...specsShownIn(document)], reading);
  const described = await describeOpenapiBlocks(document, await openSpecs(seen, reading));
  const text = await documentToMarkdownOnThread(described, reading.visit.organization._id);
  return text === undefined ? undefined : `# ${title}\n\n${text}`;
}
