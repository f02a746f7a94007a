import { loadFiles, loadPageIndex, loadReusableContents, type FoundPage } from '@bindery/content';
import { ApiError, ContentQuery, DocumentPage, File, GroupPage, Id, notFound, Page, Revision } from '@bindery/contract';
import { z } from 'zod';
import type { Reader } from '../../http/actor.ts';
import type { Reply } from '../../http/reply.ts';
import type { Scope } from '../../http/scope.ts';
import { contentTag } from './contentTag.ts';
import { presentFile, presentPage, presentPages, presentRevision, type ContentOptions } from './content.presenter.ts';
import { inMainContent, inRevision, type Content } from './content.scope.ts';
import { markdownOfPage } from './markdownOfPage.ts';
import { pageOfFiles } from './pageOfFiles.ts';

/** `format=document` comes with the document model; until then there is one format. */
const PageQuery = ContentQuery.extend({
  format: z.enum(['markdown']).default('markdown').describe('Output format for the content.'),
  evaluated: z
    .enum(['true', 'false', 'deterministic-only'])
    .default('false')
    .describe('Evaluates the expressions of a document; Markdown is always as it was written.'),
});
const SinglePage = z.discriminatedUnion('type', [DocumentPage, GroupPage]);

type OperationIds = { revision: string; pages: string; files: string; file: string; page: string; pageByPath: string };

/** Reading content is the same everywhere; only the revision differs. The ids of the operations are irregular, so they are given. */
function contentRoutes(on: Scope<{ content: Content; reader: Reader }, 'space.view'>, ids: OperationIds) {
  return [
    on.get(
      '',
      {
        operationId: ids.revision,
        summary: 'Get a revision with all its pages and files',
        permission: 'space.view',
        query: ContentQuery,
        response: Revision,
        etag: true,
      },
      async ({ content: { revision }, reader, query, reply }) => {
        // Earlier states are not published: visitors are not told of them.
        const parents = reader.visitor ? [] : revision.parents;
        reply.etag(contentTag(query, revision.contentHash, revision._id, ...parents));
        const [{ tree }, files, reusableContents] = await Promise.all([
          loadPageIndex(revision.organization, revision.pages),
          loadFiles(revision),
          loadReusableContents(revision),
        ]);
        return presentRevision({ ...revision, parents }, { pages: tree, files, reusableContents }, query);
      },
    ),

    on.get(
      '/pages',
      {
        operationId: ids.pages,
        summary: 'List the pages as a tree',
        permission: 'space.view',
        query: ContentQuery,
        response: z.object({ pages: z.array(Page) }),
        etag: true,
      },
      async ({ content: { revision }, query, reply }) => {
        reply.etag(contentTag(query, revision.pages, revision.space));
        const { tree } = await loadPageIndex(revision.organization, revision.pages);
        return { pages: presentPages(revision, tree, query) };
      },
    ),

    on.list(
      '/files',
      {
        operationId: ids.files,
        summary: 'List the files',
        permission: 'space.view',
        query: ContentQuery,
        item: File,
        etag: true,
      },
      async ({ content: { revision }, query }) => pageOfFiles(revision, query),
    ),

    on.get(
      '/files/:fileId',
      {
        operationId: ids.file,
        summary: 'Get a file',
        permission: 'space.view',
        params: { fileId: Id },
        query: ContentQuery,
        response: File,
        etag: true,
      },
      async ({ content: { revision }, params, query }) => {
        const file = (await loadFiles(revision)).find(({ id }) => id === params.fileId);
        if (!file) throw notFound('file', params.fileId);
        return presentFile(revision, file, query);
      },
    ),

    on.get(
      '/page/:pageId',
      {
        operationId: ids.page,
        summary: 'Get a page with its content',
        permission: 'space.view',
        params: { pageId: Id },
        query: PageQuery,
        response: Page,
        etag: true,
      },
      async ({ content: { revision }, params, query, reply }) => {
        const { byId } = await loadPageIndex(revision.organization, revision.pages);
        const found = byId.get(params.pageId);
        if (!found) throw notFound('page', params.pageId);
        return readPage({ revision }, found, { query, reply });
      },
    ),

    on.get(
      '/path/*pagePath',
      {
        operationId: ids.pageByPath,
        summary: 'Get a page by its path; an empty path is the landing page',
        permission: 'space.view',
        params: { pagePath: z.string() },
        query: PageQuery,
        response: SinglePage,
        etag: true,
      },
      async ({ content: { revision }, params, query, reply }) => {
        const { byPath } = await loadPageIndex(revision.organization, revision.pages);
        const path = params.pagePath.replace(/^\/+|\/+$/g, '');
        // Paths follow the names of files, which some systems write in decomposed letters.
        const found = byPath.get(path) ?? byPath.get(path.normalize('NFC')) ?? byPath.get(path.normalize('NFD'));
        if (!found) throw noPageAt(path);
        const page = await readPage({ revision }, found, { query, reply });
        if (page.type === 'link' || page.type === 'computed') throw noPageAt(path);
        return page;
      },
    ),
  ];
}

async function readPage(
  { revision }: Content,
  { page }: FoundPage,
  { query, reply }: { query: ContentOptions; reply: Reply },
): Promise<Page> {
  if (page.type !== 'document') return presentPage(revision, page, query);
  if (page.document) reply.etag(contentTag(query, revision.pages, revision.space, page.id));
  return presentPage(revision, page, query, await markdownOfPage(revision, page));
}

function noPageAt(path: string): ApiError {
  if (path === '') return new ApiError('not_found', 'This content has no landing page: it has no page at all.');
  return new ApiError('not_found', `No page has the path ${path.length > 200 ? `${path.slice(0, 200)}…` : path}.`, {
    action: 'Compare it with the `path` of the pages in the tree.',
  });
}

export const allContentRoutes = [
  ...contentRoutes(inMainContent, {
    revision: 'getCurrentRevision',
    pages: 'listPages',
    files: 'listFiles',
    file: 'getFileById',
    page: 'getPageById',
    pageByPath: 'getPageByPath',
  }),
  ...contentRoutes(inRevision, {
    revision: 'getRevisionById',
    pages: 'listPagesInRevisionById',
    files: 'listFilesInRevisionById',
    file: 'getFileInRevisionById',
    page: 'getPageInRevisionById',
    pageByPath: 'getPageInRevisionByPath',
  }),
];
