import { z } from 'zod';
import { Id, mapOf, text } from '../input/input.ts';
import { TeamRole } from '../user/role.ts';

export const Team = z
  .object({
    object: z.literal('team'),
    id: z.string(),
    title: z.string(),
    members: z.int(),
    spaces: z
      .int()
      .describe(
        'Number of spaces granted to the team, directly or through a collection, counting only those that the caller can view.',
      ),
    createdAt: z.iso.datetime(),
    permissions: z.object({ admin: z.boolean(), view: z.boolean() }),
  })
  .meta({ id: 'OrganizationTeam' });
export type Team = z.infer<typeof Team>;
export type TeamPermission = keyof Team['permissions'];

/** A member's role in a team. */
export const TeamMembership = z.object({ role: TeamRole }).meta({ id: 'TeamMember' });

/** Trimmed before it is stored. */
const TeamTitle = text(1, 64)
  .refine((title) => title.trim() !== '', 'must not be blank')
  .meta({ id: 'OrganizationTeamTitle', pattern: '\\S' });

const maxEntries = 1000;

export const CreateTeam = z
  .strictObject({
    title: TeamTitle,
    members: z.array(Id).max(maxEntries).optional().describe('Ids of members of the organization.'),
  })
  .meta({ id: 'CreateTeam' });
export type CreateTeam = z.infer<typeof CreateTeam>;

export const UpdateTeam = z.strictObject({ title: TeamTitle }).meta({ id: 'UpdateTeam' });

/** Members of the organization, each by its id or e-mail address. */
const Entries = z.array(text(1, 320)).max(maxEntries);

export const UpdateTeamMembers = z
  .strictObject({
    add: Entries.optional(),
    remove: Entries.optional().describe('Users who are also in `add` are removed.'),
    memberships: mapOf(Id, z.strictObject(TeamMembership.shape))
      .refine(
        (memberships) => Object.keys(memberships).length <= maxEntries,
        `must have at most ${maxEntries} entries`,
      )
      .optional()
      .describe('Roles of members by id; they must be in the team after the other two changes.'),
  })
  .meta({ id: 'UpdateMembersInOrganizationTeam' });
export type UpdateTeamMembers = z.infer<typeof UpdateTeamMembers>;

/** The role of a new member of a team. */
export const AddTeamMember = z
  .strictObject({ role: TeamRole.default('member') })
  .meta({ id: 'AddTeamMember' });
