import { z } from 'zod';
import { Id } from '../input/input.ts';
import { Role } from '../user/role.ts';
import { Team } from './team.ts';
import { User } from '../user/user.ts';

const Principals = z.array(Id).min(1).max(1000);

/** The user or team to be given a role in a space, a collection or a site. */
export const GrantRole = z
  .strictObject({
    role: Role.nullable().describe('null removes the grant.'),
    users: Principals.optional().describe('Ids of members and guests of the organization.'),
    teams: Principals.optional().describe('Ids of teams of the organization.'),
  })
  .refine(({ users, teams }) => users !== undefined || teams !== undefined, 'needs `users`, `teams` or both')
  .meta({ id: 'InviteUsersAndTeams' });
export type GrantRole = z.infer<typeof GrantRole>;

export const UpdateGrant = z
  .strictObject({ role: Role.nullable().optional().describe('null removes the grant.') })
  .meta({ id: 'UpdateContentPermission' });

/** The role of a user in a space or a collection. */
export const UserContentPermission = z
  .object({ permission: Role, user: User })
  .meta({ id: 'UserContentPermission' });
export type UserContentPermission = z.infer<typeof UserContentPermission>;

/** The role that a team was granted in a space or a collection. */
export const TeamContentPermission = z
  .object({ permission: Role, team: Team })
  .meta({ id: 'TeamContentPermission' });
export type TeamContentPermission = z.infer<typeof TeamContentPermission>;

/** The role of a user in a site, and the source of that role. */
export const UserSitePermission = z
  .object({
    permission: Role,
    user: User,
    origin: z.discriminatedUnion('type', [
      z
        .object({ type: z.literal('organization'), organization: z.string() })
        .meta({ id: 'OrganizationPointer' }),
      z
        .object({
          type: z.literal('site'),
          site: z.string(),
          reason: z.enum(['member', 'team', 'default']),
          team: z.string().optional(),
        })
        .meta({ id: 'UserSitePermissionSiteOrigin' }),
    ]),
    disabled: z.boolean(),
    lastSeenAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'UserSitePermission' });
export type UserSitePermission = z.infer<typeof UserSitePermission>;
