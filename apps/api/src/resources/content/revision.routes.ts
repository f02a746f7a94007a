import { ContentQuery, RevisionSummary } from '@bindery/contract';
import { inSpace } from '../space/space.scope.ts';
import { pageOfRevisions } from './pageOfRevisions.ts';

export const revisionRoutes = [
  inSpace.list(
    '/revisions',
    {
      operationId: 'listRevisions',
      summary: 'List the revisions of the main content, the current one first',
      permission: 'space.view',
      tags: ['Space content'],
      query: ContentQuery.pick({ metadata: true }),
      item: RevisionSummary,
      // Only the parents say which revisions were main content.
      countsUpTo: 0,
    },
    async ({ platform: { links }, space, member, query }) =>
      pageOfRevisions(space, query, { ...member, links }),
  ),
];
