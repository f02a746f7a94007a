import { CreateSpace, invalid, Space, text } from '@bindery/contract';
import { createSpace } from '@bindery/content';
import { z } from 'zod';
import { roleInContent } from '../../permissions/access.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { pageOfSpaces } from './pageOfSpaces.ts';
import { presentSpace } from './space.presenter.ts';
import { inSpaceOrDeleted } from './space.scope.ts';

export const spaceRoutes = [
  inSpaceOrDeleted.get(
    '',
    {
      operationId: 'getSpaceById',
      summary: 'Get a space',
      description: 'A deleted space is shown to its admins, with `deletedAt`, for as long as it can be restored.',
      permission: 'space.view',
      query: z.object({
        shareKey: text(0, 256).optional().describe('For sites published by share links: the key with which published URLs are resolved.'),
      }),
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
      refuseUnsupported(body);
      const { title, emoji, language, editMode } = body;
      const space = await createSpace({ organization: organization._id, createdBy: actor.user.id, title, emoji, language, editMode });
      return presentSpace(space, { role: roleInContent({ member, access: space.access }), organization });
    },
  ),
];

/** What would otherwise be dropped without a word: a space that is not what was asked for is worse than none. */
function refuseUnsupported({ parent, template, computedSource, empty }: CreateSpace): void {
  if (parent !== undefined) throw invalid('body.parent', 'is not the id of a collection of this organization that you may see.');
  if (template) throw invalid('body.template.id', 'is not the id of a template of this platform.');
  if (computedSource) throw invalid('body.computedSource', 'is not supported: content is not computed when a space is created.');
  if (empty) throw invalid('body.empty', 'is not supported: a new space has one empty page.');
}
