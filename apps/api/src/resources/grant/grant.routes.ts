import { GrantRole, Id, Role, TeamContentPermission, UpdateGrant, UserContentPermission, UserSitePermission } from '@bindery/contract';
import { z } from 'zod';
import type { Route, Scope } from '../../http/scope.ts';
import { inCollectionGrants, inSiteGrants, inSpaceGrants, type GrantPlace } from './grantPlace.ts';
import { pageOfContentPermissions, pageOfTeamGrants, pageOfUserGrants } from './pageOfGrants.ts';
import { pageOfSitePermissions } from './pageOfSitePermissions.ts';
import { changeGrant, grantRole, removeGrant } from './writeGrants.ts';

type Ids = { grant: string; users: string; updateUser: string; removeUser: string; teams: string; updateTeam: string; removeTeam: string };

/** Granting is the same everywhere. The ids of the operations are irregular, so they are given. */
function grantRoutes<P extends string>(
  on: Scope<GrantPlace, P>,
  { permission, where, ...ids }: Ids & { permission: P; where: string },
): Route[] {
  return [
    on.post(
      '',
      {
        operationId: ids.grant,
        summary: `Give users and teams a role in ${where}`,
        description:
          'It takes the place of what they were granted before; null takes that away. ' +
          'Granting on a collection takes an admin of everything below it: what is granted there counts below.',
        permission,
        body: GrantRole,
      },
      async ({ body, ...place }) => grantRole(place, body),
    ),

    on.list(
      '/users',
      { operationId: ids.users, summary: `List the users to whom ${where} was granted`, permission, item: UserContentPermission },
      async ({ query, ...place }) => pageOfUserGrants(place, query),
    ),

    on.patch(
      '/users/:userId',
      {
        operationId: ids.updateUser,
        summary: `Change what a user was granted in ${where}`,
        permission,
        params: { userId: Id },
        body: UpdateGrant.default({}),
      },
      async ({ params, body, ...place }) => changeGrant(place, { principalType: 'user', principal: params.userId }, body.role),
    ),

    on.delete(
      '/users/:userId',
      { operationId: ids.removeUser, summary: `Take away what a user was granted in ${where}`, permission, params: { userId: Id } },
      async ({ params, ...place }) => removeGrant(place, { principalType: 'user', principal: params.userId }),
    ),

    on.list(
      '/teams',
      { operationId: ids.teams, summary: `List the teams to which ${where} was granted`, permission, item: TeamContentPermission },
      async ({ query, ...place }) => pageOfTeamGrants(place, query),
    ),

    on.patch(
      '/teams/:teamId',
      {
        operationId: ids.updateTeam,
        summary: `Change what a team was granted in ${where}`,
        permission,
        params: { teamId: Id },
        body: UpdateGrant.default({}),
      },
      async ({ params, body, ...place }) => changeGrant(place, { principalType: 'team', principal: params.teamId }, body.role),
    ),

    on.delete(
      '/teams/:teamId',
      { operationId: ids.removeTeam, summary: `Take away what a team was granted in ${where}`, permission, params: { teamId: Id } },
      async ({ params, ...place }) => removeGrant(place, { principalType: 'team', principal: params.teamId }),
    ),
  ];
}

const AggregateQuery = z.object({ role: Role.optional().describe('Only those who have this role there.') });

/** Where everybody has what they have from does not show here; in a site it does. */
function contentPermissions<P extends string>(
  on: Scope<GrantPlace, P>,
  spec: { operationId: string; permission: P; where: string },
): Route {
  const { where, ...rest } = spec;
  return on.list(
    '/aggregate',
    { ...rest, summary: `List everybody who can see ${where}`, query: AggregateQuery, item: UserContentPermission },
    async ({ query, ...place }) => pageOfContentPermissions(place, query),
  );
}

export const allGrantRoutes: Route[] = [
  ...grantRoutes(inSpaceGrants, {
    permission: 'space.admin',
    where: 'a space',
    grant: 'inviteToSpace',
    users: 'listUserPermissionsInSpace',
    updateUser: 'updateUserPermissionInSpace',
    removeUser: 'removeUserFromSpace',
    teams: 'listTeamPermissionsInSpace',
    updateTeam: 'updateTeamPermissionInSpace',
    removeTeam: 'removeTeamFromSpace',
  }),
  contentPermissions(inSpaceGrants, { operationId: 'listPermissionsAggregateInSpace', permission: 'space.admin', where: 'a space' }),

  ...grantRoutes(inCollectionGrants, {
    permission: 'collection.admin',
    where: 'a collection',
    grant: 'inviteToCollection',
    users: 'listUserPermissionsInCollection',
    updateUser: 'updateUserPermissionInCollection',
    removeUser: 'removeUserFromCollection',
    teams: 'listTeamPermissionsInCollection',
    updateTeam: 'updateTeamPermissionInCollection',
    removeTeam: 'removeTeamFromCollection',
  }),
  contentPermissions(inCollectionGrants, {
    operationId: 'listPermissionsAggregateInCollection',
    permission: 'collection.admin',
    where: 'a collection',
  }),

  ...grantRoutes(inSiteGrants, {
    permission: 'site.admin',
    where: 'a site',
    grant: 'inviteToSite',
    users: 'listUserPermissionsInSite',
    updateUser: 'updateUserPermissionInSite',
    removeUser: 'removeUserFromSite',
    teams: 'listTeamPermissionsInSite',
    updateTeam: 'updateTeamPermissionInSite',
    removeTeam: 'removeTeamFromSite',
  }),
  inSiteGrants.list(
    '/aggregate',
    {
      operationId: 'listPermissionsAggregateInSite',
      summary: 'List everybody who can see a site',
      permission: 'site.admin',
      query: AggregateQuery,
      item: UserSitePermission,
    },
    async ({ query, ...place }) => pageOfSitePermissions(place, query),
  ),
];
