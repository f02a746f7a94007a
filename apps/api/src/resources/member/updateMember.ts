import { ApiError, type Role } from '@bindery/contract';
import {
  hasOtherAdmin,
  Member,
  PendingMember,
  withTransaction,
  type ClientSession,
  type MemberRecord,
} from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';

/**
 * Gives a member another role; null makes a guest.
 *
 * @throws conflict when nobody would be left who administers the organization
 */
export async function updateMember(
  member: MemberRecord,
  { role }: { role?: Role | null | undefined },
): Promise<MemberRecord> {
  return withTransaction(async (session) => {
    if (role !== undefined && role !== 'admin') await endAdmin(member, session);
    return changeRecord<MemberRecord>(Member, member, { ...(role !== undefined && { role }) }, { session });
  });
}

/**
 * Ends what a member can do as an admin, in the transaction that takes that role away: unanswered requests to
 * users end with it.
 *
 * @throws conflict when it is the last admin
 */
export async function endAdmin({ organization, user }: MemberRecord, session: ClientSession): Promise<void> {
  // Read again: it may have become one since the request began.
  const isAdmin = await Member.exists({ organization, user, role: 'admin' }).session(session);
  if (!isAdmin) return;
  if (await hasOtherAdmin({ organization, user }, session)) {
    await PendingMember.deleteMany({ organization, askedBy: user }, { session });
    return;
  }
  throw new ApiError('conflict', 'This is the last admin of the organization, which needs one.', {
    action: 'Make another member an admin first.',
  });
}
