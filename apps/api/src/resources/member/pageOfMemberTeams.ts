import type { MemberTeam } from '@bindery/contract';
import { Team, type MemberRecord, type TeamRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { containsText } from '../../records/containsText.ts';
import { findPage } from '../../records/findPage.ts';
import { showTeams } from '../../presenters/showTeams.ts';

/**
 * The teams that a member (`target`) is in, newest first, with its role in each. Finds them by id, because a
 * member is in few teams.
 */
export async function pageOfMemberTeams(
  { member, target }: { member: MemberRecord; target: MemberRecord },
  { title, ...query }: PageQuery & { title?: string | undefined },
): Promise<Page<MemberTeam>> {
  const roles = new Map(target.teams.map(({ team, role }) => [team, role]));
  const filter = {
    organization: target.organization,
    _id: { $in: [...roles.keys()] },
    ...(title && { title: containsText(title) }),
  };
  const { rows, ...page } = await findPage<TeamRecord>(Team, filter, query);
  const teams = await showTeams(rows, member);
  return {
    ...page,
    items: teams.map((team) => ({ team, member: { role: roles.get(team.id) ?? 'member' } })),
  };
}
