import {
  Collection,
  CreateCollection,
  fromWord,
  MoveContent,
  storedTitle,
  TransferContent,
  UpdateCollection,
} from '@bindery/contract';
import { Collection as CollectionModel, type CollectionRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';
import { z } from 'zod';
import { roleInContent } from '../../permissions/access.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { changeContent } from './changeContent.ts';
import { presentCollection } from '../../presenters/collection.presenter.ts';
import { givenFields, noneIfEmpty } from '../../records/givenFields.ts';
import { inCollection } from './collection.scope.ts';
import { createCollection } from './createCollection.ts';
import { deleteCollection } from './deleteCollection.ts';
import { moveCollection } from './moveContent.ts';
import { pageOfCollections } from './pageOfCollections.ts';
import { transferCollection } from './transferContent.ts';

export const collectionRoutes = [
  inOrganization.list(
    '/collections',
    {
      operationId: 'listCollectionsInOrganizationById',
      summary: 'List the collections of an organization',
      permission: 'organization.view',
      tags: ['Collection'],
      query: z.object({
        nested: fromWord(z.boolean().default(true)).describe('false omits nested collections.'),
      }),
      item: Collection,
    },
    async ({ platform: { links }, organization, member, query }) =>
      pageOfCollections({ links, organization, member }, query),
  ),

  inOrganization.post(
    '/collections',
    {
      operationId: 'createCollection',
      summary: 'Create a collection',
      permission: 'organization.createContent',
      tags: ['Collection'],
      body: CreateCollection.default({}),
      response: Collection,
      status: 201,
      idempotent: true,
    },
    async ({ platform: { links }, organization, member, body }) => {
      const collection = await createCollection(member, body);
      return presentCollection(collection, {
        links,
        role: roleInContent({ member, access: collection.access }),
        organization,
      });
    },
  ),

  inCollection.get(
    '',
    {
      operationId: 'getCollectionById',
      summary: 'Get a collection',
      permission: 'collection.view',
      response: Collection,
      etag: true,
    },
    async ({ platform: { links }, collection, role, organization, reply }) => {
      reply.version(collection.version);
      return presentCollection(collection, { links, role, organization });
    },
  ),

  inCollection.patch(
    '',
    {
      operationId: 'updateCollectionById',
      summary: 'Change a collection',
      permission: 'collection.admin',
      body: UpdateCollection.default({}),
      response: Collection,
      etag: true,
    },
    async ({ platform: { links }, collection, member, organization, body, reply }) => {
      const changed = await changeContent<CollectionRecord>(CollectionModel, collection, changesOf(body));
      reply.version(changed.version);
      return presentCollection(changed, {
        links,
        role: roleInContent({ member, access: changed.access }),
        organization,
      });
    },
  ),

  inCollection.delete(
    '',
    {
      operationId: 'deleteCollectionById',
      summary: 'Delete a collection with its contents',
      description:
        'Nested collections are removed too. Their spaces, at any depth, can be restored for 7 days, to the root of the organization.',
      permission: 'collection.admin',
    },
    async ({ collection }) => deleteCollection(collection),
  ),

  inCollection.post(
    '/move',
    {
      operationId: 'moveCollection',
      summary: 'Move a collection to another collection or position',
      permission: 'collection.admin',
      body: MoveContent.default({}),
      response: Collection,
    },
    async ({ platform: { links }, collection, member, organization, body }) => {
      const moved = await moveCollection(collection, { member, body });
      return presentCollection(moved, {
        links,
        role: roleInContent({ member, access: moved.access }),
        organization,
      });
    },
  ),

  inCollection.post(
    '/transfer',
    {
      operationId: 'transferCollection',
      summary: 'Transfer a collection with its contents to another organization',
      description:
        'It is placed at the root of the target organization. Grants to teams, and to users who are not members there, are removed. ' +
        'Git sync ends: stored credentials and sync points are removed, unfinished jobs are cancelled, and earlier jobs cannot be ' +
        'retried. Requires admin rights on everything below the collection.',
      permission: 'collection.admin',
      body: TransferContent,
      response: Collection,
    },
    async ({ platform: { links, blobs }, collection, actor, member, body }) => {
      const there = await transferCollection(collection, {
        blobs,
        actor,
        member,
        organization: body.organization,
      });
      const { record, organization } = there;
      return presentCollection(record, {
        links,
        role: roleInContent({ member: there.member, access: record.access }),
        organization,
      });
    },
  ),
];

function changesOf({ title, description, defaultLevel }: UpdateCollection) {
  return {
    ...compact({ title: title === undefined ? undefined : storedTitle(title), defaultLevel }),
    ...givenFields({ description: noneIfEmpty(description) }),
  };
}
