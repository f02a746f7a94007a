import type { Role, TeamContentPermission, UserContentPermission } from '@bindery/contract';
import { Grant, Member, Team, type GrantRecord, type MemberRecord, type TeamRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/paging.ts';
import { roleInContent } from '../../permissions/access.ts';
import { membersInContent } from '../../permissions/accessFilter.ts';
import { findPage, type Order } from '../findPage.ts';
import { showTeams } from '../team/showTeams.ts';
import { showUsers } from '../user/showUsers.ts';
import type { GrantPlace } from './grantPlace.ts';

/** The users to whom something was granted here, newest first. */
export async function pageOfUserGrants({ target: { target }, member }: GrantPlace, query: PageQuery): Promise<Page<UserContentPermission>> {
  const { rows, ...page } = await findPage<GrantRecord>(Grant, { target, principalType: 'user' }, query);
  const userOf = await showUsers(
    rows.map(({ principal }) => principal),
    member,
  );
  return { ...page, items: rows.map(({ principal, role }) => ({ permission: role, user: userOf(principal) })) };
}

/** The same for teams. */
export async function pageOfTeamGrants({ target: { target }, member }: GrantPlace, query: PageQuery): Promise<Page<TeamContentPermission>> {
  const { rows, ...page } = await findPage<GrantRecord>(Grant, { target, principalType: 'team' }, query);
  const teams = await showTeams(await Team.find({ _id: { $in: rows.map(({ principal }) => principal) } }).lean<TeamRecord[]>(), member);
  const byId = new Map(teams.map((team) => [team.id, team]));
  return {
    ...page,
    items: rows.flatMap(({ principal, role }) => {
      const team = byId.get(principal);
      return team ? [{ permission: role, team }] : [];
    }),
  };
}

/** The order of the members of an organization. */
export const newestMembersFirst: Order = [
  ['joinedAt', -1],
  ['_id', -1],
];

/** Everybody who can see a space or a collection, with what they may do there at most, whatever they have it from. */
export async function pageOfContentPermissions(
  { organization, member: viewer, target: { access } }: GrantPlace,
  { role, ...query }: PageQuery & { role?: Role | undefined },
): Promise<Page<UserContentPermission>> {
  const filter = { organization: organization._id, ...membersInContent(access, role) };
  const { rows, ...page } = await findPage<MemberRecord>(Member, filter, { ...query, order: newestMembersFirst });
  const userOf = await showUsers(
    rows.map(({ user }) => user),
    viewer,
  );
  return {
    ...page,
    items: rows.flatMap((member) => {
      const permission = roleInContent({ member, access });
      return permission ? [{ permission, user: userOf(member.user) }] : [];
    }),
  };
}
