import { findDocument, markdownOf, withoutUnsafeTargetsOnThread, type PageTree } from '@bindery/content';
import { ApiError } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';

/** The stored body of a page without unsafe links; empty for a page without content. */
export async function markdownOfPage(
  revision: Pick<RevisionRecord, 'organization'>,
  page: PageTree,
): Promise<string> {
  if (page.type !== 'document' || !page.document) return '';
  const source = await findDocument(revision.organization, page.document);
  if (!source) throw new Error(`The document ${page.document} is missing.`);
  const markdown = await withoutUnsafeTargetsOnThread(markdownOf(source), revision.organization);
  if (markdown === undefined) throw tooLongToRead();
  return markdown;
}

export function tooLongToRead(): ApiError {
  return new ApiError('unavailable', 'The text takes too long to read.', { action: 'Try again later.' });
}
