import type { Collection, Role } from '@bindery/contract';
import type { CollectionRecord, OrganizationRecord } from '@bindery/models';
import { shownLevel } from '../permissions/access.ts';
import { collectionPermissions } from '../permissions/collection.ts';
import type { Links } from './links.ts';

/** @param role  the role of the caller in the collection */
export function presentCollection(
  { _id: id, title, description, parent, access, organization: owner }: CollectionRecord,
  {
    links,
    role,
    organization,
  }: { links: Links; role: Role | null; organization: Pick<OrganizationRecord, 'defaultRole'> },
): Collection {
  return {
    object: 'collection',
    id,
    title,
    description,
    organization: owner,
    parent,
    defaultLevel: shownLevel(access, organization),
    urls: { location: links.api(`/collections/${id}`), app: links.app(`/c/${id}`) },
    permissions: collectionPermissions({ role }),
  };
}
