import {
  changeTree,
  Member,
  PendingMember,
  pendingMemberId,
  removeGrantsOf,
  type MemberRecord,
} from '@bindery/models';
import { endAdmin } from './updateMember.ts';

/**
 * Takes a member out of an organization, with its places in teams and all that was granted to it there. What
 * it wrote stays.
 *
 * @throws conflict when nobody would be left who administers the organization
 */
export async function removeMember(member: MemberRecord): Promise<void> {
  const { organization, user } = member;
  await changeTree(organization, async (session) => {
    await removeGrantsOf({ principal: user, organization }, session);
    await endAdmin(member, session);
    await Member.deleteOne({ organization, user }, { session });
    await PendingMember.deleteOne({ _id: pendingMemberId(member) }, { session });
  });
}
