import type { Team } from '@bindery/contract';
import type { MemberRecord, TeamRecord } from '@bindery/models';
import { countTeams } from './countTeams.ts';
import { presentTeam } from './team.presenter.ts';

/** The viewing member of the teams' organization. */
type Caller = Pick<MemberRecord, 'organization' | 'role' | 'user' | 'teams'>;

/**
 * Presents teams of one organization as a member sees them, in the given order, with two queries for any
 * number of teams.
 */
export async function showTeams(teams: readonly TeamRecord[], member: Caller): Promise<Team[]> {
  const countsOf = await countTeams(
    member,
    teams.map(({ _id }) => _id),
  );
  return teams.map((team) => presentTeam(team, { member, counts: countsOf(team._id) }));
}

/** Presents one team. */
export async function showTeam(team: TeamRecord, member: Caller): Promise<Team> {
  const countsOf = await countTeams(member, [team._id]);
  return presentTeam(team, { member, counts: countsOf(team._id) });
}
