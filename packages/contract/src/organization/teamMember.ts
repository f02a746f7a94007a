import { z } from 'zod';
import { Member } from './member.ts';
import { TeamMembership } from './team.ts';

/** A member of a team: what it is in the organization, and what in the team. */
export const TeamMember = z
  .object({ organization: Member, team: TeamMembership, permissions: z.object({ view: z.boolean() }) })
  .meta({ id: 'OrganizationTeamMember' });
export type TeamMember = z.infer<typeof TeamMember>;
