import type { Team } from '@bindery/contract';
import type { MemberRecord, TeamRecord } from '@bindery/models';
import { countTeams } from './countTeams.ts';
import { presentTeam } from './team.presenter.ts';

/** Who looks at teams of its organization. */
type Caller = Pick<MemberRecord, 'organization' | 'role' | 'user' | 'teams'>;

/**
 * Teams of one organization as a member of it sees them, in the order given.
 *
 * It takes two queries, however many teams there are.
 */
export async function showTeams(teams: readonly TeamRecord[], member: Caller): Promise<Team[]> {
  const countsOf = await countTeams(
    member,
    teams.map(({ _id }) => _id),
  );
  return teams.map((team) => presentTeam(team, { member, counts: countsOf(team._id) }));
}

/** The same for one. */
export async function showTeam(team: TeamRecord, member: Caller): Promise<Team> {
  const countsOf = await countTeams(member, [team._id]);
  return presentTeam(team, { member, counts: countsOf(team._id) });
}
