import { ContentQuery, File, Id, notFound, Page, Revision } from '@bindery/contract';
import { loadShownContent, loadShownPages } from '@bindery/publishing';
import { z } from 'zod';
import { showMergedFrom } from '../change-request/showMergedFrom.ts';
import { visitorUrlEnd } from '../../presenters/fileUrl.ts';
import { contentTag } from './document/contentTag.ts';
import { presentFile, presentPages, presentRevision } from '../../presenters/content.presenter.ts';
import { inChangeRequestContent, inMainContent, inRevision, type ContentScope } from './content.scope.ts';
import { documentRoutes } from './document.routes.ts';
import { findShownHistory, loadShownHistory } from './gitHistory.ts';
import { pageRoutes } from './page.routes.ts';
import { pageOfFiles } from './pageOfFiles.ts';
import { reusableContentRoutes } from './reusableContent.routes.ts';

/** Every kind of revision has these operations. Their ids are irregular, so they are parameters. */
function contentRoutes(
  on: ContentScope,
  ids: { revision: string; pages: string; files: string; file: string },
) {
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
      async ({ platform: { links }, content: shown, reader, query, reply }) => {
        const { revision } = shown;
        const record = await findShownHistory(shown, query);
        // Earlier states are not published: visitors see neither the parents nor the merged change request.
        const parents = reader.visitor ? [] : revision.parents;
        reply.etag(
          contentTag(
            { links, query, reader },
            revision.contentHash,
            revision._id,
            ...parents,
            ...(record ? [record.version] : []),
            ...(reader.visitor ? [String(visitorUrlEnd())] : []),
          ),
        );
        const history = await loadShownHistory(record);
        const options = { ...query, links, visitor: reader.visitor, history };
        const [{ tree }, content, mergedFrom] = await Promise.all([
          loadShownPages(revision, reader),
          loadShownContent(revision, { links, reader }),
          reader.visitor
            ? {}
            : showMergedFrom(revision, {
                links,
                organization: revision.organization,
                user: reader.actor.user.id,
              }),
        ]);
        return presentRevision({ ...revision, parents }, { pages: tree, ...content, ...mergedFrom }, options);
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
      async ({ platform: { links }, content, reader, query, reply }) => {
        const { revision } = content;
        const record = await findShownHistory(content, query);
        const versions = record ? [record.version] : [];
        reply.etag(contentTag({ links, query, reader }, revision.pages, revision.space, ...versions));
        const { tree } = await loadShownPages(revision, reader);
        const history = await loadShownHistory(record);
        return { pages: presentPages(revision, tree, { ...query, links, visitor: reader.visitor, history }) };
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
      async ({ platform: { links }, content: { revision }, reader, query }) =>
        pageOfFiles(revision, { links, reader, query }),
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
      async ({ platform: { links }, content: { revision }, reader, params, query }) => {
        const file = (await loadShownContent(revision, { links, reader })).files.find(
          ({ id }) => id === params.fileId,
        );
        if (!file) throw notFound('file', params.fileId);
        return presentFile(revision, file, { ...query, links, visitor: reader.visitor });
      },
    ),
  ];
}

export const allContentRoutes = [
  ...contentRoutes(inMainContent, {
    revision: 'getCurrentRevision',
    pages: 'listPages',
    files: 'listFiles',
    file: 'getFileById',
  }),
  ...pageRoutes(inMainContent, {
    page: 'getPageById',
    document: 'getPageDocumentById',
    metaLinks: 'listSpacePageMetaLinks',
    byPath: 'getPageByPath',
  }),
  ...reusableContentRoutes(inMainContent, {
    content: 'getReusableContentById',
    document: 'getReusableContentDocumentById',
  }),

  ...contentRoutes(inChangeRequestContent, {
    revision: 'getRevisionOfChangeRequestById',
    pages: 'listPagesInChangeRequest',
    files: 'listFilesInChangeRequestById',
    file: 'getFileInChangeRequestById',
  }),
  ...pageRoutes(inChangeRequestContent, {
    page: 'getPageInChangeRequestById',
    document: 'getPageDocumentInChangeRequestById',
    metaLinks: 'listChangeRequestPageMetaLinks',
    byPath: 'getPageInChangeRequestByPath',
  }),
  ...reusableContentRoutes(inChangeRequestContent, {
    content: 'getReusableContentInChangeRequestById',
    document: 'getReusableContentDocumentInChangeRequestById',
  }),

  ...contentRoutes(inRevision, {
    revision: 'getRevisionById',
    pages: 'listPagesInRevisionById',
    files: 'listFilesInRevisionById',
    file: 'getFileInRevisionById',
  }),
  ...pageRoutes(inRevision, {
    page: 'getPageInRevisionById',
    document: 'getPageDocumentInRevisionById',
    metaLinks: 'listRevisionPageMetaLinks',
    byPath: 'getPageInRevisionByPath',
  }),
  ...reusableContentRoutes(inRevision, {
    content: 'getReusableContentInRevisionById',
    document: 'getReusableContentDocumentInRevisionById',
  }),

  ...documentRoutes,
];
