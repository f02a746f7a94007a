import { changeTree, Grant, Member, refreshAccess, refreshSiteAccess, type GrantRecord, type MemberRecord } from '@bindery/models';
import { keepAnAdmin } from './updateMember.ts';

/**
 * Takes a member out of an organization, with its places in teams and all that was granted to it there. What it wrote stays.
 *
 * @throws conflict when nobody would be left who administers the organization
 */
export async function removeMember(member: MemberRecord): Promise<void> {
  const { organization, user } = member;
  await changeTree(organization, async (session) => {
    await keepAnAdmin(member, session);
    await Member.deleteOne({ organization, user }, { session });
    const ofUser = { principal: user, organization };
    const grants = await Grant.find(ofUser).session(session).lean<GrantRecord[]>();
    if (grants.length === 0) return;
    await Grant.deleteMany(ofUser, { session });
    const targets = Map.groupBy(grants, ({ targetType }) => (targetType === 'site' ? 'site' : 'content'));
    await refreshAccess(idsOf(targets.get('content')), session);
    await refreshSiteAccess(idsOf(targets.get('site')), session);
  });
}

function idsOf(grants: readonly GrantRecord[] = []): string[] {
  return grants.map(({ target }) => target);
}
