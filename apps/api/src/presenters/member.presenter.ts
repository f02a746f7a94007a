import type { Member } from '@bindery/contract';
import type { MemberRecord, UserRecord } from '@bindery/models';
import { presentUser } from './user.presenter.ts';
import type { ContentCounts } from './countContent.ts';

/**
 * @param caller  a guest sees no e-mail address but its own
 * @param counts  what the member can access of what the caller sees
 */
export function presentMember(
  member: MemberRecord,
  { caller, user, counts }: { caller: MemberRecord; user: UserRecord | undefined; counts: ContentCounts },
): Member {
  const { displayName, email, lastSeenAt } = member;
  return {
    object: 'member',
    id: member.user,
    role: member.role,
    user: presentUser({
      id: member.user,
      displayName,
      ...(email !== undefined && (caller.role !== null || caller.user === member.user) && { email }),
      ...(user?.photoURL !== undefined && { photoURL: user.photoURL }),
    }),
    // No operation disables a member.
    disabled: false,
    joinedAt: member.joinedAt.toISOString(),
    ...(lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() }),
    sso: member.sso ?? false,
    spaces: counts.spaces,
    teams: member.teams.length,
    sites: counts.sites,
  };
}
