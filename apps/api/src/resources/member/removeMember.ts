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
 * Removes a member from an organization, its teams and its grants. Content by the member stays.
 *
 * @throws conflict when the organization would have no admin left
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
