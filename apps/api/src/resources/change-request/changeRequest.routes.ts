import {
  ChangeRequest,
  ChangeRequestContributor,
  ChangeRequestsOfOrganization,
  ChangeRequestsOfSpace,
  CreateChangeRequest,
  UpdateChangeRequest,
} from '@bindery/contract';
import { inOrganization } from '../organization/organization.scope.ts';
import { inSpace } from '../space/space.scope.ts';
import { showUsers } from '../user/showUsers.ts';
import { inChangeRequest, inReadableChangeRequest } from './changeRequest.scope.ts';
import { presentChangeRequest } from './changeRequest.presenter.ts';
import { createChangeRequest } from './createChangeRequest.ts';
import { pageOfOrganization, pageOfSpace } from './pageOfChangeRequests.ts';
import { pageOfContributors } from './pageOfContributors.ts';
import { updateChangeRequestById } from './updateChangeRequestById.ts';

const tags = ['Change request'];

export const changeRequestRoutes = [
  inSpace.list(
    '/change-requests',
    {
      operationId: 'listChangeRequestsForSpace',
      summary: 'List the change requests of a space',
      permission: 'space.view',
      tags,
      query: ChangeRequestsOfSpace,
      item: ChangeRequest,
    },
    async ({ platform: { links }, space, member, query }) => pageOfSpace(space, query, { ...member, links }),
  ),

  inOrganization.list(
    '/change-requests',
    {
      operationId: 'listChangeRequestsForOrganization',
      summary: 'List the change requests of all spaces that the caller can view',
      permission: 'organization.view',
      tags,
      query: ChangeRequestsOfOrganization,
      item: ChangeRequest,
    },
    async ({ platform: { links }, organization, member, query }) =>
      pageOfOrganization({ links, organization, member }, query),
  ),

  inSpace.post(
    '/change-requests',
    {
      operationId: 'createChangeRequest',
      summary: 'Create a change request from the main content',
      permission: 'space.edit',
      tags,
      body: CreateChangeRequest.default({}),
      response: ChangeRequest,
      status: 201,
      idempotent: true,
    },
    async ({ platform: { links }, space: { _id: id }, actor, member, body }) => {
      const { subject, agentTaskId } = body;
      const { changeRequest, space } = await createChangeRequest({
        space: id,
        createdBy: actor.user.id,
        subject,
        agentTaskId,
      });
      return presentChangeRequest(changeRequest, {
        links,
        userOf: await showUsers([changeRequest.createdBy], { ...member, links }),
        mainRevision: space.revision,
      });
    },
  ),

  inReadableChangeRequest.get(
    '',
    {
      operationId: 'getChangeRequestById',
      summary: 'Get a change request',
      permission: 'space.view',
      response: ChangeRequest,
      etag: true,
    },
    async ({ platform: { links }, space, changeRequest, reader, reply }) => {
      reply.version(changeRequest.version);
      const userOf = await showUsers([changeRequest.createdBy], {
        links,
        organization: space.organization,
        user: reader.actor?.user.id,
      });
      return presentChangeRequest(changeRequest, { links, userOf, mainRevision: space.revision });
    },
  ),

  inChangeRequest.patch(
    '',
    {
      operationId: 'updateChangeRequestById',
      summary: 'Change the subject or the status of a change request',
      permission: 'space.edit',
      body: UpdateChangeRequest.default({}),
      response: ChangeRequest,
      etag: true,
    },
    async ({ platform: { links }, space, changeRequest, member, body, reply }) => {
      const changed = await updateChangeRequestById(changeRequest, body);
      reply.version(changed.version);
      return presentChangeRequest(changed, {
        links,
        userOf: await showUsers([changed.createdBy], { ...member, links }),
        mainRevision: space.revision,
      });
    },
  ),

  inChangeRequest.list(
    '/contributors',
    {
      operationId: 'getContributorsByChangeRequestId',
      summary: 'List the users who edited a change request or commented on it',
      permission: 'space.view',
      item: ChangeRequestContributor,
    },
    async ({ platform: { links }, changeRequest, member, query }) =>
      pageOfContributors(changeRequest, query, { ...member, links }),
  ),
];
