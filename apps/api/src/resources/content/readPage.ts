import { ApiError, type Page, type PageQuery } from '@bindery/contract';
import type { FoundPage, PageTree } from '@bindery/content';
import type { Reader } from '../../http/actor.ts';
import type { Reply } from '../../http/answer/reply.ts';
import type { Links } from '../../presenters/links.ts';
import { presentPage, type PageBody } from '../../presenters/content.presenter.ts';
import type { Content } from './content.scope.ts';
import { contentTag } from './document/contentTag.ts';
import { tagDocument } from './document/documentTag.ts';
import { readDocument } from './document/readDocument.ts';
import { isWrittenAnew, readMarkdown } from './document/readMarkdown.ts';

type Reading = { links: Links; content: Content; reader: Reader; query: PageQuery; reply: Reply };

/** Presents a page; a document with its content in the requested format, other types without content. */
export async function readPage(
  { page }: FoundPage,
  { links, content: { revision }, reader, query, reply }: Reading,
): Promise<Page> {
  const options = { links, metadata: query.metadata, visitor: reader.visitor };
  if (page.type !== 'document') return presentPage(revision, page, options);
  // A document depends on the spaces that it links to, and so does Markdown that is made from it.
  const isDocument =
    query.format === 'document' || (await isWrittenAnew(page, { links, revision, reader, query }));
  if (isDocument) await tagDocument(reply, { page }, { links, revision, reader, query });
  else reply.etag(contentTag({ links, query, reader }, revision.contentHash, revision.space, page.id));
  return presentPage(revision, page, options, await bodyOf(page, { links, revision, reader, query }));
}

async function bodyOf(
  page: Extract<PageTree, { type: 'document' }>,
  { query, ...reading }: Content & { links: Links; reader: Reader; query: PageQuery },
): Promise<PageBody> {
  if (query.format === 'document') return { document: await readDocument({ page }, { ...reading, query }) };
  return { markdown: await readMarkdown(page, { ...reading, query }) };
}

export function noPageAt(path: string): ApiError {
  if (path === '') return new ApiError('not_found', 'This content has no pages, so it has no landing page.');
  return new ApiError(
    'not_found',
    `No page has the path ${path.length > 200 ? `${path.slice(0, 200)}…` : path}.`,
    {
      action: 'Compare it with the `path` of the pages in the tree.',
    },
  );
}
