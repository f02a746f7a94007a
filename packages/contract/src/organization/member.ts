import { z } from 'zod';
import { text } from '../input/input.ts';
import { Role } from '../user/role.ts';
import { Space } from '../space/space.ts';
import { Team, TeamMembership } from './team.ts';
import { User } from '../user/user.ts';

/** A user's membership in an organization. */
export const Member = z
  .object({
    object: z.literal('member'),
    id: z.string().describe('The id of the user.'),
    role: Role.nullable().describe('null is a guest, who can view only what was granted to them.'),
    user: User,
    disabled: z.boolean(),
    joinedAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().optional(),
    sso: z.boolean().describe('Signs in through the SAML provider of the organization.'),
    spaces: z
      .int()
      .describe('Number of spaces that the member can access, counting only those that the caller can view.'),
    teams: z.int(),
    sites: z.int().describe('Counted like spaces.'),
  })
  .meta({ id: 'OrganizationMember' });
export type Member = z.infer<typeof Member>;

export const UpdateMember = z
  .strictObject({ role: Role.nullable().optional().describe('null makes a guest.') })
  .meta({ id: 'UpdateOrganizationMember' });

const ListOrder = z.enum(['asc', 'desc']).default('desc');

export const ListMembersQuery = z.object({
  role: z
    .enum([...Role.options, 'guest'])
    .optional()
    .describe('Only members with this role.'),
  search: text(0, 256)
    .optional()
    .describe('Only members whose name or e-mail address contains this text, ignoring case.'),
  sort: z
    .enum(['joinedAt', 'lastSeenAt', 'name'])
    .default('joinedAt')
    .describe('`lastSeenAt` omits members who have never been seen.'),
  order: ListOrder,
});
export type ListMembersQuery = z.infer<typeof ListMembersQuery>;

/** A space that a member can access, with the member's role there. */
export const MemberSpace = z
  .object({ permission: Role, space: Space })
  .meta({ id: 'MemberContentPermission' });
export type MemberSpace = z.infer<typeof MemberSpace>;

export const ListMemberSpacesQuery = z.object({ order: ListOrder.describe('By title.') });

/** A team of a member, with the member's role in it. */
export const MemberTeam = z.object({ team: Team, member: TeamMembership }).meta({ id: 'MemberTeam' });
export type MemberTeam = z.infer<typeof MemberTeam>;

/**
 * A token for sites that admit authenticated visitors, under two names; both are absent until a key for it is
 * configured.
 */
export const VisitorClaims = z
  .object({ docsVisitorClaims: z.string().optional(), gitbookVisitorClaims: z.string().optional() })
  .meta({ id: 'VisitorClaims' });
export type VisitorClaims = z.infer<typeof VisitorClaims>;
