import { parseOnThread, previewText, type FoundPage } from '@bindery/content';
import { invalid, type PageDocumentQuery, type PagePreview } from '@bindery/contract';
import { withoutTitle } from '@bindery/dialect/syntax';
import type { RevisionRecord } from '@bindery/models';
import { asSource, readDocument, tooLongToRead } from '@bindery/publishing';
import type { Reader } from '../../http/actor.ts';
import type { Links } from '../../presenters/links.ts';
import { requireDocument } from '../content/page.scope.ts';

type Previewing = {
  links: Links;
  revision: RevisionRecord;
  reader: Reader;
  query: PageDocumentQuery;
  markdown: string;
};

/**
 * Reads a text as the text of a page, in the place of the page, without storing it.
 *
 * @throws not_found for a page without text; invalid_request for a text that a change would refuse
 */
export async function previewPage(
  { page }: FoundPage,
  { markdown, ...reading }: Previewing,
): Promise<PagePreview> {
  requireDocument(page);
  const { organization } = reading.revision;
  const given = await previewText(page, { markdown, organization });
  if (!given) throw tooLongToRead();
  if ('problem' in given) throw invalid('body.markdown', given.problem);
  const { title, description, emoji } = given;
  const body = withoutTitle(given.markdown, title);
  const text = (await parseOnThread(body, organization)) ?? asSource(body);
  const document = await readDocument({ page }, { ...reading, text });
  return { title, description, emoji, document };
}
