import {
  GrantRole,
  Id,
  Role,
  TeamContentPermission,
  UpdateGrant,
  UserContentPermission,
  UserSitePermission,
} from '@bindery/contract';
import { z } from 'zod';
import type { Route, Scope } from '../../http/scope.ts';
import { inCollectionGrants, inSiteGrants, inSpaceGrants, type GrantContext } from './grantScopes.ts';
import { pageOfContentPermissions, pageOfTeamGrants, pageOfUserGrants } from './pageOfGrants.ts';
import { pageOfSitePermissions } from './pageOfSitePermissions.ts';
import { changeGrant, grantRole, removeGrant } from './writeGrants.ts';

type Ids = {
  grant: string;
  users: string;
  updateUser: string;
  removeUser: string;
  teams: string;
  updateTeam: string;
  removeTeam: string;
};

/** Grants work the same everywhere. The operation ids are irregular, so they are parameters. */
function grantRoutes<P extends string>(
  on: Scope<GrantContext, P>,
  { permission, where, ...ids }: Ids & { permission: P; where: string },
): Route[] {
  return [
    on.post(
      '',
      {
        operationId: ids.grant,
        summary: `Give users and teams a role in ${where}`,
        description:
          'Replaces their earlier grants; null removes a grant. Grants on a collection also apply to everything below it, so they ' +
          'require admin rights on all of it.',
        permission,
        body: GrantRole,
      },
      async ({ body, ...context }) => grantRole(context, body),
    ),

    on.list(
      '/users',
      {
        operationId: ids.users,
        summary: `List the users with a grant on ${where}`,
        permission,
        item: UserContentPermission,
      },
      async ({ platform: { links }, query, ...context }) => pageOfUserGrants({ links, ...context }, query),
    ),

    on.patch(
      '/users/:userId',
      {
        operationId: ids.updateUser,
        summary: `Change the grant of a user on ${where}`,
        permission,
        params: { userId: Id },
        body: UpdateGrant.default({}),
      },
      async ({ params, body, ...context }) =>
        changeGrant(context, { principalType: 'user', principal: params.userId }, body.role),
    ),

    on.delete(
      '/users/:userId',
      {
        operationId: ids.removeUser,
        summary: `Remove the grant of a user on ${where}`,
        permission,
        params: { userId: Id },
      },
      async ({ params, ...context }) =>
        removeGrant(context, { principalType: 'user', principal: params.userId }),
    ),

    on.list(
      '/teams',
      {
        operationId: ids.teams,
        summary: `List the teams with a grant on ${where}`,
        permission,
        item: TeamContentPermission,
      },
      async ({ query, ...context }) => pageOfTeamGrants(context, query),
    ),

    on.patch(
      '/teams/:teamId',
      {
        operationId: ids.updateTeam,
        summary: `Change the grant of a team on ${where}`,
        permission,
        params: { teamId: Id },
        body: UpdateGrant.default({}),
      },
      async ({ params, body, ...context }) =>
        changeGrant(context, { principalType: 'team', principal: params.teamId }, body.role),
    ),

    on.delete(
      '/teams/:teamId',
      {
        operationId: ids.removeTeam,
        summary: `Remove the grant of a team on ${where}`,
        permission,
        params: { teamId: Id },
      },
      async ({ params, ...context }) =>
        removeGrant(context, { principalType: 'team', principal: params.teamId }),
    ),
  ];
}

const AggregateQuery = z.object({ role: Role.optional().describe('Only users with this role.') });

/** Spaces and collections list permissions without their origin; sites list it too. */
function contentPermissions<P extends string>(
  on: Scope<GrantContext, P>,
  spec: { operationId: string; permission: P; where: string },
): Route {
  const { where, ...rest } = spec;
  return on.list(
    '/aggregate',
    {
      ...rest,
      summary: `List the users who can view ${where}`,
      query: AggregateQuery,
      item: UserContentPermission,
    },
    async ({ platform: { links }, query, ...context }) =>
      pageOfContentPermissions({ links, ...context }, query),
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
  contentPermissions(inSpaceGrants, {
    operationId: 'listPermissionsAggregateInSpace',
    permission: 'space.admin',
    where: 'a space',
  }),

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
      summary: 'List the users who can view a site',
      permission: 'site.admin',
      query: AggregateQuery,
      item: UserSitePermission,
    },
    async ({ platform: { links }, query, ...context }) => pageOfSitePermissions({ links, ...context }, query),
  ),
];
