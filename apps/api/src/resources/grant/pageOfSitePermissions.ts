import type { UserSitePermission } from '@bindery/contract';
import { rankOf, type AccessRecord, type MemberRecord } from '@bindery/models';
import type { Page } from '../../http/answer/paging.ts';
import { roleInSite } from '../../permissions/access.ts';
import { membersInSite } from '../../permissions/accessFilter.ts';
import { pageOfPermissions, type GrantsView, type PermissionsQuery } from './pageOfPermissions.ts';

/** The members who can see a site, with their highest role there and its origin. */
export async function pageOfSitePermissions(
  context: GrantsView,
  { role, ...query }: PermissionsQuery,
): Promise<Page<UserSitePermission>> {
  const { target: site, access } = context.target;
  return pageOfPermissions(
    context,
    { filter: membersInSite(access, role), query },
    (member, user): UserSitePermission | undefined => {
      const permission = roleInSite({ member, access });
      const lastSeenAt = member.lastSeenAt?.toISOString();
      const origin = originOf(member, { site, access });
      return permission ? { permission, user, origin, disabled: false, lastSeenAt } : undefined;
    },
  );
}

/**
 * The origin of a member's role in a site: a grant counts only if it gives more than the role in the
 * organization.
 */
function originOf(
  { organization, role, user, teams }: MemberRecord,
  { site, access }: { site: string; access: AccessRecord },
): UserSitePermission['origin'] {
  const [best] = access.grants
    .filter(({ to }) => to === user || teams.some(({ team }) => team === to))
    .toSorted((a, b) => rankOf(b.role) - rankOf(a.role));
  if (!best || (role && rankOf(role) >= rankOf(best.role))) return { type: 'organization', organization };
  return {
    type: 'site',
    site,
    ...(best.to === user ? { reason: 'member' } : { reason: 'team', team: best.to }),
  };
}
