import { z } from 'zod';
import { Role } from '../user/role.ts';

const fields = {
  role: Role.nullable().describe('Role of the user in the organization; null makes them a guest.'),
  joins: z.boolean().describe('false for a member, who is only asked for `sso`.'),
  sso: z.boolean().describe('Accepting lets the SAML provider of the organization sign in as the user.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('When the request expires.'),
};

/** An organization's request to a user, as that user sees it. */
export const PendingMembership = z
  .object({
    object: z.literal('pending-membership'),
    organization: z.object({ id: z.string(), title: z.string() }),
    ...fields,
  })
  .meta({ id: 'PendingMembership' });
export type PendingMembership = z.infer<typeof PendingMembership>;

export const AcceptMembership = z
  .strictObject({
    sso: z
      .boolean()
      .optional()
      .describe('true also accepts that the SAML provider of the organization signs in as the user.'),
  })
  .meta({ id: 'AcceptMembership' });
export type AcceptMembership = z.infer<typeof AcceptMembership>;

/** The same request as the organization's admins see it: only the user data that they entered themselves. */
export const PendingMember = z
  .object({
    object: z.literal('pending-member'),
    id: z.string().describe('The id of the user.'),
    email: z.string().optional(),
    ...fields,
  })
  .meta({ id: 'PendingMember' });
export type PendingMember = z.infer<typeof PendingMember>;
