import type { UserSitePermission } from '@bindery/contract';
import { rankOf, type AccessRecord, type MemberRecord } from '@bindery/models';
import type { Page } from '../../http/answer/paging.ts';
import { roleInSite } from '../../permissions/access.ts';
import { membersInSite } from '../../permissions/accessFilter.ts';
import { pageOfPermissions, type GrantsView, type PermissionsQuery } from './pageOfPermissions.ts';

/** Everybody who can see a site, with what they may do there at most and where they have it from. */
export async function pageOfSitePermissions(context: GrantsView, { role, ...query }: PermissionsQuery): Promise<Page<UserSitePermission>> {
  const { target: site, access } = context.target;
  return pageOfPermissions(context, { filter: membersInSite(access, role), query }, (member, user): UserSitePermission | undefined => {
    const permission = roleInSite({ member, access });
    const lastSeenAt = member.lastSeenAt?.toISOString();
    const origin = originOf(member, { site, access });
    return permission ? { permission, user, origin, disabled: false, ...(lastSeenAt !== undefined && { lastSeenAt }) } : undefined;
  });
}

/** A grant that gives no more than the member's own role is not where the role comes from. */
function originOf(
  { organization, role, user, teams }: MemberRecord,
  { site, access }: { site: string; access: AccessRecord },
): UserSitePermission['origin'] {
  const [best] = access.grants
    .filter(({ to }) => to === user || teams.some(({ team }) => team === to))
    .toSorted((a, b) => rankOf(b.role) - rankOf(a.role));
  if (!best || (role && rankOf(role) >= rankOf(best.role))) return { type: 'organization', organization };
  return { type: 'site', site, ...(best.to === user ? { reason: 'member' } : { reason: 'team', team: best.to }) };
}
