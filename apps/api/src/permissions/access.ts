import type { Role } from '@bindery/contract';
import { audienceOf, rankOf, type AccessRecord, type MemberRecord } from '@bindery/models';

type MemberInAccess = Pick<MemberRecord, 'role' | 'user' | 'teams'>;

/**
 * What a member may do at most in a space or a collection: an organization's admin everything; else the highest that was granted to it or one of
 * its teams, here or above; else the first explicit level upward; else its own role. A guest has only what was granted. null is no access.
 */
export function roleInContent({ member, access }: { member: MemberInAccess; access: AccessRecord }): Role | null {
  if (member.role === 'admin') return 'admin';
  const granted = grantedTo(member, access);
  if (granted) return granted;
  if (member.role === null) return null;
  return access.level === 'inherit' ? member.role : access.level;
}

/** What a member may do at most in a site: its role in the organization, or what was granted where that is more. */
export function roleInSite({ member, access }: { member: MemberInAccess; access: AccessRecord }): Role | null {
  const granted = grantedTo(member, access);
  if (!granted || !member.role) return granted ?? member.role;
  return rankOf(granted) > rankOf(member.role) ? granted : member.role;
}

/** The same rules as a filter: what the member may see. */
export function visibleTo(member: MemberInAccess): { 'access.readers'?: { $in: string[] } } {
  return member.role === 'admin' ? {} : { 'access.readers': { $in: audienceOf(member) } };
}

/** The level at which something is open to members, as the API shows it: `inherit` is resolved. */
export function shownLevel(access: AccessRecord, organization: { defaultRole: Role | null }): Role | null {
  return access.level === 'inherit' ? organization.defaultRole : access.level;
}

function grantedTo(member: MemberInAccess, access: AccessRecord): Role | undefined {
  const names = audienceOf(member);
  return access.grants
    .filter(({ to }) => names.includes(to))
    .map(({ role }) => role)
    .toSorted((a, b) => rankOf(b) - rankOf(a))[0];
}
