import type { Team } from '@bindery/contract';
import { Member, Team as TeamModel, type MemberRecord, type TeamRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { teamPermissions } from '../../permissions/team.ts';
import { containsText } from '../../records/containsText.ts';
import { findPage } from '../../records/findPage.ts';
import { showTeams } from '../../presenters/showTeams.ts';

/**
 * The teams of the caller's organization, newest first.
 *
 * @param owner  only teams that this member manages
 * @param title  only teams whose title contains this text
 */
export async function pageOfTeams(
  member: MemberRecord,
  { owner, title, ...query }: PageQuery & { owner?: string | undefined; title?: string | undefined },
): Promise<Page<Team>> {
  const filter = {
    organization: member.organization,
    ...(title && { title: containsText(title) }),
    ...(owner !== undefined && (await managedBy(owner, member.organization))),
  };
  const { rows, ...page } = await findPage<TeamRecord>(TeamModel, filter, query);
  return { ...page, items: await showTeams(rows, member) };
}

async function managedBy(user: string, organization: string): Promise<{ _id?: { $in: string[] } }> {
  const owner = await Member.findOne({ user, organization }).lean<MemberRecord>();
  // An admin also manages teams that they are not in.
  if (owner && teamPermissions({ member: { role: owner.role, teams: [] }, team: { _id: '' } }).admin)
    return {};
  return {
    _id: { $in: (owner?.teams ?? []).filter(({ role }) => role === 'owner').map(({ team }) => team) },
  };
}
