import type { Member } from '@bindery/contract';
import type { MemberRecord, UserRecord } from '@bindery/models';
import type { Links } from './links.ts';
import { presentUser } from './user.presenter.ts';
import type { ContentCounts } from './countContent.ts';

/**
 * @param caller  a guest sees only its own e-mail address
 * @param counts  the content that the member can access and the caller can view
 */
export function presentMember(
  member: MemberRecord,
  {
    links,
    caller,
    user,
    counts,
  }: { links: Links; caller: MemberRecord; user: UserRecord | undefined; counts: ContentCounts },
): Member {
  const { displayName, email, lastSeenAt } = member;
  return {
    object: 'member',
    id: member.user,
    role: member.role,
    user: presentUser(
      {
        id: member.user,
        displayName,
        email: caller.role !== null || caller.user === member.user ? email : undefined,
        photoURL: user?.photoURL,
      },
      links,
    ),
    // No operation disables a member.
    disabled: false,
    joinedAt: member.joinedAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString(),
    sso: member.sso ?? false,
    spaces: counts.spaces,
    teams: member.teams.length,
    sites: counts.sites,
  };
}
