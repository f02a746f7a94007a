import type { TeamMember } from '@bindery/contract';
import { Member, type MemberRecord, type TeamRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { findPage, type Order } from '../../records/findPage.ts';
import type { Links } from '../../presenters/links.ts';
import { showMembers } from '../../presenters/showMembers.ts';

/** The members of a team, the newest members of the organization first. */
export async function pageOfTeamMembers(
  { links, team, member: caller }: { links: Links; team: TeamRecord; member: MemberRecord },
  query: PageQuery,
): Promise<Page<TeamMember>> {
  const { rows, ...page } = await findPage<MemberRecord>(
    Member,
    { 'teams.team': team._id },
    { ...query, order: lastJoinedFirst },
  );
  const members = await showMembers(rows, { links, caller });
  return {
    ...page,
    items: rows.flatMap(({ teams }, i) => {
      const organization = members[i];
      const role = teams.find((own) => own.team === team._id)?.role;
      return organization && role ? [{ organization, team: { role }, permissions: { view: true } }] : [];
    }),
  };
}

const lastJoinedFirst: Order = [
  ['joinedAt', -1],
  ['_id', -1],
];
