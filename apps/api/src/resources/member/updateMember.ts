import { ApiError, type Role } from '@bindery/contract';
import {
  hasOtherAdmin,
  Member,
  PendingMember,
  withTransaction,
  type ClientSession,
  type MemberRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';

/**
 * Gives a member another role; null makes it a guest.
 *
 * @throws conflict when the organization would have no admin left
 */
export async function updateMember(
  member: MemberRecord,
  { role }: { role?: Role | null | undefined },
): Promise<MemberRecord> {
  return withTransaction(async (session) => {
    if (role !== undefined && role !== 'admin') await endAdmin(member, session);
    return changeRecord<MemberRecord>(Member, member, compact({ role }), { session });
  });
}

/**
 * Revokes the open requests of an admin to users, in the transaction that ends the admin role.
 *
 * @throws conflict when it is the last admin
 */
export async function endAdmin({ organization, user }: MemberRecord, session: ClientSession): Promise<void> {
  // Read again, because the member may have become an admin since the request started.
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
