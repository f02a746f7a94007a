import { notFound, type Member } from '@bindery/contract';
import { User, type MemberRecord, type UserRecord } from '@bindery/models';
import { countContent } from './countContent.ts';
import { presentMember } from './member.presenter.ts';

/**
 * Members of one organization as another member of it sees them, in the order given.
 *
 * However many they are, it takes the same few queries.
 */
export async function showMembers(members: readonly MemberRecord[], caller: MemberRecord): Promise<Member[]> {
  const [countsOf, users] = await Promise.all([
    countContent(members, caller),
    User.find({ _id: { $in: members.map(({ user }) => user) } }).lean<UserRecord[]>(),
  ]);
  const userOf = new Map(users.map((user) => [user._id, user]));
  return members.map((member) => presentMember(member, { caller, user: userOf.get(member.user), counts: countsOf(member) }));
}

/** The same for one. */
export async function showMember(member: MemberRecord, caller: MemberRecord): Promise<Member> {
  const [shown] = await showMembers([member], caller);
  if (!shown) throw notFound('member', member.user);
  return shown;
}
