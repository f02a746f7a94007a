import type { Role, UserSitePermission } from '@bindery/contract';
import { Member, rankOf, type AccessRecord, type MemberRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/paging.ts';
import { roleInSite } from '../../permissions/access.ts';
import { membersInSite } from '../../permissions/accessFilter.ts';
import { findPage } from '../findPage.ts';
import type { GrantPlace } from './grantPlace.ts';
import { showUsers } from '../user/showUsers.ts';
import { newestMembersFirst } from './pageOfGrants.ts';

/** Everybody who can see a site, with what they may do there at most and where they have it from. */
export async function pageOfSitePermissions(
  { organization, member: viewer, target: { target: site, access } }: GrantPlace,
  { role, ...query }: PageQuery & { role?: Role | undefined },
): Promise<Page<UserSitePermission>> {
  const filter = { organization: organization._id, ...membersInSite(access, role) };
  const { rows, ...page } = await findPage<MemberRecord>(Member, filter, { ...query, order: newestMembersFirst });
  const userOf = await showUsers(
    rows.map(({ user }) => user),
    viewer,
  );
  return {
    ...page,
    items: rows.flatMap((member) => {
      const permission = roleInSite({ member, access });
      const lastSeenAt = member.lastSeenAt?.toISOString();
      const origin = originOf(member, { site, access });
      return permission
        ? [{ permission, user: userOf(member.user), origin, disabled: false, ...(lastSeenAt !== undefined && { lastSeenAt }) }]
        : [];
    }),
  };
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
