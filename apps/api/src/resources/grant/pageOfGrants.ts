import type { TeamContentPermission, UserContentPermission } from '@bindery/contract';
import { Grant, Team, type GrantRecord, type TeamRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { roleInContent } from '../../permissions/access.ts';
import { membersInContent } from '../../permissions/accessFilter.ts';
import { findPage } from '../../records/findPage.ts';
import { showTeams } from '../../presenters/showTeams.ts';
import { showUsers } from '../user/showUsers.ts';
import type { GrantContext } from './grantScopes.ts';
import { pageOfPermissions, type GrantsView, type PermissionsQuery } from './pageOfPermissions.ts';

/** The users with a grant here, newest grant first. */
export async function pageOfUserGrants(
  { links, target: { target }, member }: GrantsView,
  query: PageQuery,
): Promise<Page<UserContentPermission>> {
  const { rows, ...page } = await findPage<GrantRecord>(Grant, { target, principalType: 'user' }, query);
  const userOf = await showUsers(
    rows.map(({ principal }) => principal),
    { ...member, links },
  );
  return {
    ...page,
    items: rows.map(({ principal, role }) => ({ permission: role, user: userOf(principal) })),
  };
}

/** The teams with a grant here, newest grant first. */
export async function pageOfTeamGrants(
  { target: { target }, member }: GrantContext,
  query: PageQuery,
): Promise<Page<TeamContentPermission>> {
  const { rows, ...page } = await findPage<GrantRecord>(Grant, { target, principalType: 'team' }, query);
  const teams = await showTeams(
    await Team.find({ _id: { $in: rows.map(({ principal }) => principal) } }).lean<TeamRecord[]>(),
    member,
  );
  const byId = new Map(teams.map((team) => [team.id, team]));
  return {
    ...page,
    items: rows.flatMap(({ principal, role }) => {
      const team = byId.get(principal);
      return team ? [{ permission: role, team }] : [];
    }),
  };
}

/** The members who can see a space or a collection, with their highest role there from any origin. */
export async function pageOfContentPermissions(
  context: GrantsView,
  { role, ...query }: PermissionsQuery,
): Promise<Page<UserContentPermission>> {
  const { access } = context.target;
  return pageOfPermissions(context, { filter: membersInContent(access, role), query }, (member, user) => {
    const permission = roleInContent({ member, access });
    return permission ? { permission, user } : undefined;
  });
}
