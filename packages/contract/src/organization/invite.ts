import { z } from 'zod';
import { Collection } from '../space/collection.ts';
import { Id } from '../input/input.ts';
import { Role } from '../user/role.ts';
import { Space } from '../space/space.ts';
import { Email } from '../user/user.ts';

const fields = {
  object: z.literal('invite'),
  id: z.string(),
  redundant: z.boolean().describe('Whether the caller already has everything that it grants.'),
};
const role = Role.nullable().describe(
  'Role in the organization of users who accept it; null makes them guests.',
);
const level = Role.nullable().describe('Role of users who accept it there; null grants nothing.');

/** A link that makes its user a member, or gives access to one space or collection. */
export const Invite = z
  .union([
    z.object({ ...fields, role }).meta({ id: 'InviteLinkToOrganization' }),
    z.object({ ...fields, level, space: Space }).meta({ id: 'InviteLinkToSpace' }),
    z.object({ ...fields, level, collection: Collection }).meta({ id: 'InviteLinkToCollection' }),
  ])
  .meta({ id: 'OrganizationInviteLink' });
export type Invite = z.infer<typeof Invite>;

/**
 * An invite as a list shows it. Invites to a space or a collection have `level`, and a null role because they
 * make guests.
 */
export const ListedInvite = z
  .object({
    ...fields,
    role,
    level: level.optional(),
    space: Space.optional(),
    collection: Collection.optional(),
  })
  .meta({ id: 'ListedInviteLink' });
export type ListedInvite = z.infer<typeof ListedInvite>;

/**
 * Exactly one of the three. Fields of another kind are refused, because reading them as another kind could
 * grant more.
 */
export const CreateInvite = z
  .union([
    z.strictObject({ role, space: z.never().optional(), collection: z.never().optional() }),
    z.strictObject({ level, space: Id, collection: z.never().optional(), role: z.never().optional() }),
    z.strictObject({ level, collection: Id, space: z.never().optional(), role: z.never().optional() }),
  ])
  .meta({ id: 'CreateOrganizationInvite' });
export type CreateInvite = z.infer<typeof CreateInvite>;

export const UpdateInvite = z
  .strictObject({
    role: role.optional().describe('For a link to the organization.'),
    level: level.optional().describe('For a link to a space or a collection.'),
  })
  .meta({ id: 'UpdateOrganizationInvite' });
export type UpdateInvite = z.infer<typeof UpdateInvite>;

export const InviteUsers = z
  .strictObject({
    emails: z
      .array(z.union([Email, z.strictObject({ email: Email, role })]))
      .max(100)
      .describe('If an address occurs twice, the first entry applies.'),
    role: role
      .optional()
      .describe("Role for addresses without one; by default the organization's default role."),
    sso: z
      .boolean()
      .optional()
      .describe(
        'They sign in through the SAML provider of the organization, after their consent. Default: whether the organization requires single sign-on.',
      ),
  })
  .meta({ id: 'InviteUsersToOrganization' });
export type InviteUsers = z.infer<typeof InviteUsers>;

/** GitBook's optional `failedSSOEmails` is never there: nobody is invited whom single sign-on cannot hold. */
export const InvitedUsers = z
  .object({
    users: z.array(z.string()).describe('Ids of the new and the pending members, without existing ones.'),
    invited: z.int().describe('Number of `users`.'),
    pending: z
      .array(z.string())
      .optional()
      .describe('Ids of the `users` who become members when they accept.'),
  })
  .meta({ id: 'InvitedUsers' });
export type InvitedUsers = z.infer<typeof InvitedUsers>;

/** An empty response. */
export const Joined = z.object({}).meta({ id: 'Joined' });
