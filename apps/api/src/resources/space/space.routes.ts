import { CreateSpace, Space } from '@bindery/contract';
import { createSpace } from '@bindery/content';
import { roleInSpace } from '../../permissions/space.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { pageOfSpaces } from './pageOfSpaces.ts';
import { presentSpace } from './space.presenter.ts';
import { inSpace } from './space.scope.ts';

export const spaceRoutes = [
  inSpace.get(
    '',
    {
      operationId: 'getSpaceById',
      summary: 'Get a space',
      permission: 'space.view',
      response: Space,
    },
    async ({ space, role, organization }) => presentSpace(space, { role, organization }),
  ),

  inOrganization.list(
    '/spaces',
    {
      operationId: 'listSpacesInOrganizationById',
      summary: 'List the spaces of an organization',
      permission: 'organization.view',
      tags: ['Space'],
      item: Space,
    },
    async ({ organization, member, query }) => pageOfSpaces({ organization, member }, query),
  ),

  inOrganization.post(
    '/spaces',
    {
      operationId: 'createSpace',
      summary: 'Create a space with one empty page',
      permission: 'organization.createContent',
      tags: ['Space'],
      body: CreateSpace.default({}),
      response: Space,
      status: 201,
    },
    async ({ organization, member, actor, body }) => {
      const space = await createSpace({ organization: organization._id, createdBy: actor.user.id, ...body });
      return presentSpace(space, { role: roleInSpace({ member, space }), organization });
    },
  ),
];
