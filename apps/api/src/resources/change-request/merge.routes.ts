import { findRevision } from '@bindery/content';
import {
  ChangeRequestConflicts,
  ChangesQuery,
  ConflictsQuery,
  ContentDifferences,
  ContentQuery,
  Id,
  MergeChangeRequest,
  MergedChangeRequest,
  notFound,
  UpdatedChangeRequest,
  UpdateFromMainContent,
} from '@bindery/contract';
import { inSpace } from '../space/space.scope.ts';
import { inChangeRequest } from './changeRequest.scope.ts';
import { listConflicts } from './listConflicts.ts';
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
        'For changes on both sides, the version of the change request is used, and `conflicts` contains both texts. A page that one side deleted and the other changed is kept. With `revisions`, only these are merged: if one of them has changed since, the answer is 409, and nothing is changed.',
      permission: 'space.merge',
      tags,
      body: MergeChangeRequest,
      response: MergedChangeRequest,
      idempotent: true,
    },
    async ({ changeRequest, actor, body: { revisions } }) =>
      mergeChangeRequest(changeRequest, { by: actor.user.id, revisions }),
  ),

  inChangeRequest.post(
    '/update',
    {
      operationId: 'updateChangeRequest',
      summary: 'Update a change request with the latest main content',
      description:
        'For changes on both sides, the version of the change request is used, and `conflicts` contains both texts. With `resolutions` or `otherwise`, each conflict gets the version chosen for it: list them with `GET .../conflicts`, and send its `revisions` too. If one of these has changed since, the answer is 409, and nothing is changed. A merge of the main content that has not changed again then meets no conflict.',
      permission: 'space.edit',
      tags,
      body: UpdateFromMainContent,
      bodySize: 'large',
      response: UpdatedChangeRequest,
      idempotent: true,
    },
    async ({ changeRequest, actor, body: settle }) =>
      updateFromMainContent(changeRequest, { by: actor.user.id, settle }),
  ),

  inChangeRequest.get(
    '/conflicts',
    {
      operationId: 'getChangeRequestConflicts',
      summary: 'List the conflicts of a change request with the main content',
      description:
        'Lists things that both sides changed since their common ancestor, with all versions, as an update or a merge would meet them now. Changes nothing. 409 when the change request is merged.',
      permission: 'space.view',
      tags,
      query: ConflictsQuery,
      response: ChangeRequestConflicts,
    },
    async ({ changeRequest, query }) => listConflicts(changeRequest, query),
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
