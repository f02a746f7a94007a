import { findRevision } from '@bindery/content';
import {
  ChangesQuery,
  ContentDifferences,
  ContentQuery,
  Id,
  MergedChangeRequest,
  notFound,
  UpdatedChangeRequest,
} from '@bindery/contract';
import { inSpace } from '../space/space.scope.ts';
import { inChangeRequest } from './changeRequest.scope.ts';
import { mergeChangeRequest } from './mergeChangeRequest.ts';
import { changesOfChangeRequest, changesOfRevision } from './showChanges.ts';
import { updateFromMainContent } from './updateFromMainContent.ts';

const tags = ['Change request'];

/** Operations on the content of a change request as a whole. */
export const changeRequestMergeRoutes = [
  inChangeRequest.post(
    '/merge',
    {
      operationId: 'mergeChangeRequest',
      summary: 'Merge a change request into the main content',
      description:
        'For changes on both sides, the version of the change request is used, and `conflicts` contains both texts. A page that one side deleted and the other changed is kept.',
      permission: 'space.merge',
      tags,
      response: MergedChangeRequest,
      idempotent: true,
    },
    async ({ changeRequest, actor }) => mergeChangeRequest(changeRequest, { by: actor.user.id }),
  ),

  inChangeRequest.post(
    '/update',
    {
      operationId: 'updateChangeRequest',
      summary: 'Update a change request with the latest main content',
      description:
        'For changes on both sides, the version of the change request is used, and `conflicts` contains both texts.',
      permission: 'space.edit',
      tags,
      response: UpdatedChangeRequest,
      idempotent: true,
    },
    async ({ changeRequest, actor }) => updateFromMainContent(changeRequest, { by: actor.user.id }),
  ),

  inChangeRequest.get(
    '/changes',
    {
      operationId: 'getChangeRequestChanges',
      summary: 'List the changes of a change request',
      permission: 'space.view',
      tags,
      query: ChangesQuery,
      response: ContentDifferences,
    },
    async ({ platform: { links }, changeRequest, query }) =>
      changesOfChangeRequest(changeRequest, { links, limit: query.limit }),
  ),

  inSpace.get(
    '/revisions/:revisionId/changes',
    {
      operationId: 'getRevisionSemanticChanges',
      summary: 'List the changes of a revision against its predecessor',
      permission: 'space.view',
      tags: ['Content'],
      params: { revisionId: Id },
      query: ChangesQuery.extend(ContentQuery.shape),
      response: ContentDifferences,
    },
    async ({ platform: { links }, space, member, params, query }) => {
      const revision = await findRevision(space._id, params.revisionId);
      if (!revision) throw notFound('revision', params.revisionId);
      return changesOfRevision(revision, query, { ...member, links });
    },
  ),
];
