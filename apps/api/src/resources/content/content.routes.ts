import { findDocument, loadFiles, loadPageIndex, loadReusableContents, markdownOf, type FoundPage } from '@bindery/content';
import { ContentQuery, DocumentPage, File, GroupPage, Id, notFound, Page, Revision } from '@bindery/contract';
import { z } from 'zod';
import type { Reply } from '../../http/reply.ts';
import type { Scope } from '../../http/scope.ts';
import { presentFile, presentPage, presentPages, presentRevision, type ContentOptions } from './content.presenter.ts';
import { inMainContent, inRevision, type Content } from './content.scope.ts';
import { pageOfFiles } from './pageOfFiles.ts';

/** `format=document` comes with the document model; until then there is one format. */
const PageQuery = ContentQuery.extend({ format: z.enum(['markdown']).default('markdown') });
const SinglePage = z.discriminatedUnion('type', [DocumentPage, GroupPage]);

type OperationIds = { revision: string; pages: string; files: string; file: string; page: string; pageByPath: string };

/** Reading content is the same everywhere; only the revision differs. The ids of the operations are irregular, so they are given. */
function contentRoutes(on: Scope<{ content: Content }, 'space.view'>, ids: OperationIds) {
  return [
    on.get(
      '',
      {
        operationId: ids.revision,
        summary: 'Get a revision with all its pages and files',
        permission: 'space.view',
        query: ContentQuery,
        response: Revision,
      },
      async ({ content: { revision }, query, reply }) => {
        tagContent(reply, content(revision.contentHash, query), revision._id);
        const [{ tree }, files, reusableContents] = await Promise.all([
          loadPageIndex(revision.organization, revision.pages),
          loadFiles(revision),
          loadReusableContents(revision),
        ]);
        return presentRevision(revision, { pages: tree, files, reusableContents }, query);
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
      },
      async ({ content: { revision }, query, reply }) => {
        tagContent(reply, content(revision.pages, query));
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
      },
      async ({ content: { revision }, params, query, reply }) => {
        const { byPath } = await loadPageIndex(revision.organization, revision.pages);
        const found = byPath.get(params.pagePath.replace(/^\/+|\/+$/g, ''));
        if (!found) throw notFound('page', params.pagePath);
        const page = await readPage({ revision }, found, { query, reply });
        if (page.type === 'link' || page.type === 'computed') throw notFound('page', params.pagePath);
        return page;
      },
    ),
  ];
}

async function readPage({ revision }: Content, { page }: FoundPage, { query, reply }: { query: ContentOptions; reply: Reply }): Promise<Page> {
  if (page.type !== 'document') return presentPage(revision, page, query);
  if (!page.document) return presentPage(revision, page, query, '');
  tagContent(reply, content(revision.pages, query), page.id);
  const source = await findDocument(revision.organization, page.document);
  if (!source) throw new Error(`The document ${page.document} is missing.`);
  return presentPage(revision, page, query, markdownOf(source));
}

/** What a read shows depends on the content and on what the caller leaves out. */
function content(hash: string, { metadata }: ContentOptions): string {
  return metadata ? hash : `${hash}-plain`;
}

function tagContent(reply: Reply, ...parts: string[]): void {
  reply.etag(parts.join('-'));
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
