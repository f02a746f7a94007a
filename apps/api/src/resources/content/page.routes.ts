import {
  DocumentPage,
  DocumentTree,
  GroupPage,
  Page,
  PageDocumentQuery,
  PageMetaLinks,
  PageQuery,
  trimmedSides,
} from '@bindery/contract';
import { findPageAt, loadShownPages, readDocument } from '@bindery/publishing';
import { z } from 'zod';
import type { ContentScope } from './content.scope.ts';
import { tagDocument } from './document/documentTag.ts';
import { inPageOf, requireDocument } from './page.scope.ts';
import { readMetaLinks } from './readMetaLinks.ts';
import { noPageAt, readPage } from './readPage.ts';

const SinglePage = z.discriminatedUnion('type', [DocumentPage, GroupPage]);

/** Every kind of revision has these operations. Their ids are irregular, so they are parameters. */
export function pageRoutes(
  place: ContentScope,
  ids: { page: string; document: string; metaLinks: string; byPath: string },
) {
  const inPage = inPageOf(place);

  return [
    inPage.get(
      '',
      {
        operationId: ids.page,
        summary: 'Get a page with its content',
        permission: 'space.view',
        query: PageQuery,
        response: Page,
        etag: true,
      },
      async ({ found, ...at }) => readPage(found, at),
    ),

    inPage.get(
      '/document',
      {
        operationId: ids.document,
        summary: 'Get the document of a page',
        description:
          'Only pages of type `document` have a document. A page without content has an empty one.',
        permission: 'space.view',
        query: PageDocumentQuery,
        response: DocumentTree,
        etag: true,
      },
      async ({ platform: { links }, found: { page }, content: { revision }, reader, query, reply }) => {
        requireDocument(page);
        await tagDocument(reply, { page }, { links, revision, reader, query });
        return readDocument({ page }, { links, revision, reader, query });
      },
    ),

    inPage.get(
      '/meta-links',
      {
        operationId: ids.metaLinks,
        summary: 'Get the alternative locations of a page',
        description: 'From the key `metaLinks` of its frontmatter.',
        permission: 'space.view',
        response: PageMetaLinks,
        etag: true,
      },
      async ({ platform: { links }, found: { page }, content: { revision }, reader }) =>
        readMetaLinks(page, { links, revision, reader }),
    ),

    place.get(
      '/path/*pagePath',
      {
        operationId: ids.byPath,
        summary: 'Get a page by its path; an empty path is the landing page',
        description:
          'Paths follow the tree of pages. The path of a file in the repository from which the space was imported redirects to its page, ' +
          'and so do the last paths that a page had before imports gave it others.',
        redirect:
          'No page has this path, but a file of the imported repository has, or a page had it before: the page is at the `Location`.',
        permission: 'space.view',
        params: { pagePath: z.string() },
        query: PageQuery,
        response: SinglePage,
        etag: true,
      },
      async ({ platform, content, reader, params, query, reply }) => {
        const pages = await loadShownPages(content.revision, reader);
        const path = trimmedSides(params.pagePath, '/');
        const found = findPageAt(path, pages.byPath);
        if (!found) {
          const moved = findPageAt(path, pages.byFilePath);
          if (moved && 'path' in moved.page) reply.redirectTo(moved.page.path);
          throw noPageAt(path);
        }
        const page = await readPage(found, { platform, content, reader, query, reply });
        if (page.type === 'link' || page.type === 'computed') throw noPageAt(path);
        return page;
      },
    ),
  ];
}
