import { notFound, type Member } from '@bindery/contract';
import { User, type MemberRecord, type UserRecord } from '@bindery/models';
import { countContent } from './countContent.ts';
import type { Links } from './links.ts';
import { presentMember } from './member.presenter.ts';

export type MembersView = { links: Links; caller: MemberRecord };

/**
 * Presents members of one organization as another member sees them, in the given order. The number of queries
 * is the same for any number of members.
 */
export async function showMembers(
  members: readonly MemberRecord[],
  { links, caller }: MembersView,
): Promise<Member[]> {
  const [countsOf, users] = await Promise.all([
    countContent(members, caller),
    User.find({ _id: { $in: members.map(({ user }) => user) } }).lean<UserRecord[]>(),
  ]);
  const userOf = new Map(users.map((user) => [user._id, user]));
  return members.map((member) =>
    presentMember(member, { links, caller, user: userOf.get(member.user), counts: countsOf(member) }),
  );
}

/** Presents one member. */
export async function showMember(member: MemberRecord, view: MembersView): Promise<Member> {
  const [shown] = await showMembers([member], view);
  if (!shown) throw notFound('member', member.user);
  return shown;
}
