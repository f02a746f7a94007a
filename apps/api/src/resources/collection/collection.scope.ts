import { Id, notFound } from '@bindery/contract';
import { Collection, type CollectionRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';
import { roleInContent } from '../../permissions/access.ts';
import { collectionPermissions } from '../../permissions/collection.ts';
import { qualified } from '../../permissions/role.ts';
import { findMembership } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A collection that the caller can see; for others it does not exist. */
export const inCollection = root.scope({
  name: 'Collection',
  path: '/collections/:collectionId',
  params: { collectionId: Id },
  load: async ({ actor, params }) => loadVisibleCollection(actor, params.collectionId),
  permissions: ({ role }) => qualified('collection', collectionPermissions({ role })),
  version: ({ collection }) => versionOf(Collection, { _id: collection._id }),
});

/** @throws not_found when the collection is absent or not visible to the caller: existence is hidden */
export async function loadVisibleCollection(actor: Actor, collectionId: string) {
  const collection = await Collection.findById(collectionId).lean<CollectionRecord>();
  const membership = collection && (await findMembership(actor, collection.organization));
  const role =
    collection && membership ? roleInContent({ member: membership.member, access: collection.access }) : null;
  if (!collection || !membership || !role) throw notFound('collection', collectionId);
  return { collection, ...membership, role };
}
