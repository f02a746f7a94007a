import { removeHistory } from '@bindery/content';
import {
  CreateSpace,
  MoveContent,
  ShareKey,
  Space,
  storedTitle,
  TransferContent,
  UpdateSpace,
} from '@bindery/contract';
import { Space as SpaceModel, type SpaceRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';
import { z } from 'zod';
import { roleInContent } from '../../permissions/access.ts';
import { changeContent } from '../collection/changeContent.ts';
import { inCollection } from '../collection/collection.scope.ts';
import { requireCreation } from '../collection/destination.ts';
import { moveSpace } from '../collection/moveContent.ts';
import { transferSpace } from '../collection/transferContent.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { withoutInside } from '../site/siteView.ts';
import { addNewSpace } from './addNewSpace.ts';
import { copySpace } from './copySpace.ts';
import { deleteSpace, restoreSpace } from './deleteSpace.ts';
import { pageOfSpaces, pageOfSpacesInCollection } from './pageOfSpaces.ts';
import { showSpace, showSpaces } from './showSpaces.ts';
import { inReadableSpaceOrDeleted, inSpace, inSpaceOrDeleted } from './space.scope.ts';

export const spaceRoutes = [
  inCollection.list(
    '/spaces',
    {
      operationId: 'listSpacesInCollectionById',
      summary: 'List the spaces directly in a collection',
      permission: 'collection.view',
      item: Space,
    },
    async ({ platform: { links }, collection, organization, member, query }) =>
      pageOfSpacesInCollection({ links, collection, organization, member }, query),
  ),

  inReadableSpaceOrDeleted.get(
    '',
    {
      operationId: 'getSpaceById',
      summary: 'Get a space',
      description: 'Admins can read a deleted space, with `deletedAt`, as long as it can be restored.',
      permission: 'space.view',
      query: z.object({
        shareKey: ShareKey.describe(
          'For sites published by share links: the key with which published URLs are resolved.',
        ),
      }),
      response: Space,
      etag: true,
    },
    async ({ platform: { links }, space, role, organization, reader, reply }) => {
      reply.version(space.version);
      return showSpace(reader.visitor ? withoutInside(space) : space, { links, role, organization });
    },
  ),

  inSpaceOrDeleted.delete(
    '',
    {
      operationId: 'deleteSpaceById',
      summary: 'Delete a space',
      description: 'It can be restored for 7 days, then it is permanently removed.',
      permission: 'space.admin',
    },
    async ({ space }) => deleteSpace(space),
  ),

  inSpace.patch(
    '',
    {
      operationId: 'updateSpaceById',
      summary: 'Change a space',
      permission: 'space.admin',
      body: UpdateSpace.default({}),
      response: Space,
      etag: true,
    },
    async ({ platform: { links }, space, organization, member, body, reply }) => {
      const changed = await changeContent<SpaceRecord>(SpaceModel, space, changesOf(body));
      if (body.gitHistory === false) await removeHistory([space._id]);
      reply.version(changed.version);
      return showSpace(changed, {
        links,
        organization,
        role: roleInContent({ member, access: changed.access, id: changed._id }),
      });
    },
  ),

  inSpace.post(
    '/duplicate',
    {
      operationId: 'duplicateSpace',
      summary: 'Duplicate a space into the same collection',
      description:
        'The copy has one revision with the current content. Change requests, comments, git sync and grants are not copied.',
      permission: 'space.view',
      response: Space,
      idempotent: true,
      requires: ({ member }) => requireCreation(undefined, member),
    },
    async ({ platform: { links }, space, organization, member, role }) => {
      const copy = await copySpace(space, { member, role });
      return (await showSpaces([copy], { links, organization, member }))[0] as Space;
    },
  ),

  inSpaceOrDeleted.post(
    '/restore',
    {
      operationId: 'restoreSpace',
      summary: 'Restore a deleted space',
      permission: 'space.admin',
      response: Space,
    },
    async ({ platform: { links }, space, organization, role }) =>
      showSpace(await restoreSpace(space), { links, organization, role }),
  ),

  inSpace.post(
    '/move',
    {
      operationId: 'moveSpace',
      summary: 'Move a space to another collection or position',
      permission: 'space.admin',
      body: MoveContent.default({}),
      response: Space,
    },
    async ({ platform: { links }, space, organization, member, body }) => {
      const moved = await moveSpace(space, { member, body });
      return showSpace(moved, {
        links,
        organization,
        role: roleInContent({ member, access: moved.access, id: moved._id }),
      });
    },
  ),

  inSpace.post(
    '/transfer',
    {
      operationId: 'transferSpace',
      summary: 'Transfer a space to another organization',
      description:
        'It is placed at the root of the target organization. Grants to teams, and to users who are not members there, are removed. ' +
        'Git sync ends: stored credentials and sync points are removed, unfinished jobs are cancelled, and earlier jobs cannot be ' +
        'retried.',
      permission: 'space.admin',
      body: TransferContent,
      response: Space,
    },
    async ({ platform: { links, blobs }, space, actor, body }) => {
      const { record, organization, member } = await transferSpace(space, {
        blobs,
        actor,
        organization: body.organization,
      });
      return showSpace(record, {
        links,
        organization,
        role: roleInContent({ member, access: record.access }),
      });
    },
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
    async ({ platform: { links }, organization, member, query }) =>
      pageOfSpaces({ links, organization, member }, query),
  ),

  inOrganization.post(
    '/spaces',
    {
      operationId: 'createSpace',
      summary: 'Create a space, by default with one empty page',
      permission: 'organization.createContent',
      tags: ['Space'],
      body: CreateSpace.default({}),
      response: Space,
      status: 201,
      idempotent: true,
    },
    async ({ platform: { links, blobs }, organization, member, actor, body }) => {
      const space = await addNewSpace(member, body, { blobs, actor });
      return showSpace(space, { links, organization, role: roleInContent({ member, access: space.access }) });
    },
  ),
];

function changesOf({
  title,
  editMode,
  defaultLevel,
  language,
  emoji,
  icon,
  gitOnConflict,
  gitHistory,
}: UpdateSpace) {
  return {
    ...compact({
      title: title === undefined ? undefined : storedTitle(title),
      editMode,
      defaultLevel,
      language,
    }),
    // A space shows one of the two, so a new one replaces the other.
    ...((emoji !== undefined || icon) && { emoji: emoji ?? undefined }),
    ...((icon !== undefined || emoji) && { icon: icon ?? undefined }),
    ...(gitOnConflict !== undefined && { gitOnConflict: gitOnConflict ?? undefined }),
    ...(gitHistory !== undefined && { gitHistory: gitHistory ?? undefined }),
  };
}
