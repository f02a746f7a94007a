import type { Team } from '@bindery/contract';
import type { MemberRecord, TeamRecord } from '@bindery/models';
import { teamPermissions } from '../permissions/team.ts';
import type { TeamCounts } from './countTeams.ts';

/** @param member  the caller, as a member of the team's organization */
export function presentTeam(
  team: TeamRecord,
  { member, counts }: { member: Pick<MemberRecord, 'role' | 'teams'>; counts: TeamCounts },
): Team {
  return {
    object: 'team',
    id: team._id,
    title: team.title,
    members: counts.members,
    spaces: counts.spaces,
    createdAt: team.createdAt.toISOString(),
    permissions: teamPermissions({ member, team }),
  };
}
