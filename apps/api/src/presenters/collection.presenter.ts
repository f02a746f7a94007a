import type { Collection, Role } from '@bindery/contract';
import type { CollectionRecord, OrganizationRecord } from '@bindery/models';
import { shownLevel } from '../permissions/access.ts';
import { collectionPermissions } from '../permissions/collection.ts';
import { apiUrl, appUrl } from '../platform.ts';

/** @param role  what the caller may do in the collection */
export function presentCollection(
  { _id: id, title, description, parent, access, organization: owner }: CollectionRecord,
  { role, organization }: { role: Role | null; organization: Pick<OrganizationRecord, 'defaultRole'> },
): Collection {
  return {
    object: 'collection',
    id,
    title,
    ...(description !== undefined && { description }),
    organization: owner,
    ...(parent !== undefined && { parent }),
    defaultLevel: shownLevel(access, organization),
    urls: { location: apiUrl(`/collections/${id}`), app: appUrl(`/c/${id}`) },
    permissions: collectionPermissions({ role }),
  };
}
