import { z } from 'zod';
import { Member } from './member.ts';
import { TeamMembership } from './team.ts';

/** A member of a team, with the roles in the organization and in the team. */
export const TeamMember = z
  .object({ organization: Member, team: TeamMembership, permissions: z.object({ view: z.boolean() }) })
  .meta({ id: 'OrganizationTeamMember' });
export type TeamMember = z.infer<typeof TeamMember>;
