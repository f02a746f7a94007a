import { loadRevision } from '@bindery/content';
import { ContentLocation, Link, LinkQuery, LinkStats } from '@bindery/contract';
import { inSpace } from '../space/space.scope.ts';
import { inContentOfChangeRequest, inFileOf, inPageOf, inSpaceContent } from './link.scope.ts';
import { pageOfBacklinks } from './pageOfBacklinks.ts';
import { pageOfLinks } from './pageOfLinks.ts';

type OperationIds = { links: string; pageBacklinks: string; fileBacklinks: string };

/**
 * Link routes are the same in the main content and in a change request. The operation ids are irregular, so
 * they are parameters.
 */
function linkRoutes(on: Parameters<typeof inPageOf>[0], ids: OperationIds) {
  const inPage = inPageOf(on);
  return [
    inPage.list(
      '/links',
      {
        operationId: ids.links,
        summary: 'List the links on a page, with the status of their targets',
        permission: 'space.view',
        query: LinkQuery,
        item: Link,
        also: { stats: LinkStats },
      },
      async ({ linked, page, query, ...viewer }) => pageOfLinks(viewer, linked, { ...query, page }),
    ),

    inPage.list(
      '/backlinks',
      {
        operationId: ids.pageBacklinks,
        summary: 'List the references to a page',
        description:
          'Includes references from the same content, and from the main content of other spaces of the organization that the caller can view.',
        permission: 'space.view',
        item: ContentLocation,
      },
      async ({ linked, item, query, ...viewer }) => pageOfBacklinks(viewer, linked, { ...query, item }),
    ),

    inFileOf(on).list(
      '/backlinks',
      {
        operationId: ids.fileBacklinks,
        summary: 'List the references to a file',
        permission: 'space.view',
        item: ContentLocation,
      },
      async ({ linked, item, query, ...viewer }) => pageOfBacklinks(viewer, linked, { ...query, item }),
    ),
  ];
}

export const allLinkRoutes = [
  inSpace.list(
    '/links',
    {
      operationId: 'listSpaceLinks',
      summary: 'List the links in the content of a space, with the status of their targets',
      permission: 'space.view',
      query: LinkQuery,
      item: Link,
      also: { stats: LinkStats },
    },
    async ({ query, ...viewer }) =>
      pageOfLinks(viewer, { revision: await loadRevision(viewer.space._id, viewer.space.revision) }, query),
  ),
  ...linkRoutes(inSpaceContent, {
    links: 'listPageLinksInSpace',
    pageBacklinks: 'listSpacePageBacklinks',
    fileBacklinks: 'listSpaceFileBacklinks',
  }),
  ...linkRoutes(inContentOfChangeRequest, {
    links: 'listPageLinksInChangeRequest',
    pageBacklinks: 'listChangeRequestPageBacklinks',
    fileBacklinks: 'listChangeRequestFileBacklinks',
  }),
];
