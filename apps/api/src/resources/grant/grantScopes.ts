import type { AccessRecord, GrantRecord, MemberRecord, OrganizationRecord } from '@bindery/models';
import { inCollection } from '../collection/collection.scope.ts';
import { inSite } from '../site/site.scope.ts';
import { inSpace } from '../space/space.scope.ts';

/** Context of grants on one object. The operations are the same everywhere; only the object differs. */
export type GrantContext = { organization: OrganizationRecord; member: MemberRecord; target: GrantTarget };

export type GrantTarget = Pick<GrantRecord, 'organization' | 'targetType' | 'target'> & {
  access: AccessRecord;
};

/** Grants on a space. */
export const inSpaceGrants = inSpace.scope({
  name: 'Space permissions',
  path: '/permissions',
  params: {},
  load: async ({ space }) => ({ target: targetOf('space', space) }),
  permissions: () => ({}),
});

/** Grants on a collection, which also apply to everything below. */
export const inCollectionGrants = inCollection.scope({
  name: 'Collection permissions',
  path: '/permissions',
  params: {},
  load: async ({ collection }) => ({ target: targetOf('collection', collection) }),
  permissions: () => ({}),
});

/** Grants on a site. */
export const inSiteGrants = inSite.scope({
  name: 'Site permissions',
  path: '/permissions',
  params: {},
  load: async ({ site }) => ({ target: targetOf('site', site) }),
  permissions: () => ({}),
});

function targetOf(
  targetType: GrantRecord['targetType'],
  { _id, organization, access }: { _id: string; organization: string; access: AccessRecord },
): GrantTarget {
  return { organization, targetType, target: _id, access };
}
