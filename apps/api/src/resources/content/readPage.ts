import { ApiError, type DocumentTree, type Page, type PageQuery } from '@bindery/contract';
import { describeOpenapiBlocks, specsShownIn, type FoundPage, type PageTree } from '@bindery/content';
import type { PageHistoryRecord } from '@bindery/models';
import { isWrittenAnew, markdownOfPage, readDocument, readMarkdown } from '@bindery/publishing';
import type { Reader } from '../../http/actor.ts';
import type { Reply } from '../../http/answer/reply.ts';
import type { Platform } from '../../platform.ts';
import { presentPage, type PageBody } from '../../presenters/content.presenter.ts';
import type { Content } from './content.scope.ts';
import { contentTag } from './document/contentTag.ts';
import { tagDocument } from './document/documentTag.ts';
import { loadHistoryOfPage } from './gitHistory.ts';
import { findReadableSpecs } from './shown/readableSpecs.ts';

type Reading = {
  platform: Pick<Platform, 'blobs' | 'links'>;
  content: Content;
  reader: Reader;
  query: PageQuery;
  reply: Reply;
};

/** Presents a page; a document with its content in the requested format, other types without content. */
export async function readPage({ page }: FoundPage, reading: Reading): Promise<Page> {
  const {
    platform: { links },
    content,
    reader,
    query,
  } = reading;
  const { record, history } = await loadHistoryOfPage(page, content, query);
  const options = {
    links,
    metadata: query.metadata,
    visitor: reader.visitor,
    history,
    hasContributors: true,
  };
  if (page.type !== 'document') return presentPage(content.revision, page, options);
  return presentPage(
    content.revision,
    page,
    options,
    await readBody(page, { ...reading, query: tagged(query, record) }),
  );
}

/** The entity tag of an answer also depends on the history that it shows. */
function tagged(query: PageQuery, record: PageHistoryRecord | undefined): PageQuery {
  return record ? Object.assign({}, query, { history: record.version }) : query;
}

/** Reads the body of a page, after setting the entity tag of the answer. */
async function readBody(
  page: Extract<PageTree, { type: 'document' }>,
  { platform, content: { revision }, reader, query, reply }: Reading,
): Promise<PageBody> {
  const { links } = platform;
  const reading = { links, revision, reader, query };
  if (query.format === 'document') {
    await tagDocument(reply, { page }, reading);
    return { document: await readDocument({ page }, reading) };
  }
  const stored = await markdownOfPage(revision, page);
  // The answer is tagged by its text, because it depends on specifications that have versions of their own.
  if (query['format.markdown.openapi'] === 'text' && mayShowSpecs(stored)) {
    const describe = async (document: DocumentTree) => {
      const { organization } = revision;
      const specs = await findReadableSpecs(specsShownIn(document), { platform, organization, reader });
      return describeOpenapiBlocks(document, specs);
    };
    return { markdown: await readMarkdown(page, stored, { ...reading, describe }) };
  }
  // A document depends on the spaces that it links to, and so does Markdown that is made from it.
  if (isWrittenAnew(stored, reading)) await tagDocument(reply, { page }, reading);
  else reply.etag(contentTag({ links, query, reader }, revision.contentHash, revision.space, page.id));
  return { markdown: await readMarkdown(page, stored, reading) };
}

/** Whether a text may contain an OpenAPI block, or include a text that does. */
function mayShowSpecs(markdown: string): boolean {
  return /\{%-?\s*(?:openapi|include)/.test(markdown);
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
