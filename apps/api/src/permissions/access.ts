import type { Role } from '@bindery/contract';
import { audienceOf, rankOf, type AccessRecord } from '@bindery/models';
import { lowerOf, type ActingMember } from './tokenLimits.ts';

/** A member, and what its token leaves of it. */
type MemberInAccess = Pick<ActingMember, 'role' | 'user' | 'teams' | 'limit'>;

/**
 * What a member may do at most in a space or a collection: an organization's admin everything; else the
 * highest that was granted to it or one of its teams, here or above; else the first explicit level upward;
 * else its own role. A guest has only what was granted. null is no access.
 *
 * @param id  of the space; whoever holds a token for single spaces has no role anywhere else
 */
export function roleInContent({
  member,
  access,
  id,
}: {
  member: MemberInAccess;
  access: AccessRecord;
  id?: string;
}): Role | null {
  const { limit } = member;
  if (limit?.spaces && (id === undefined || !limit.spaces.includes(id))) return null;
  const role = roleWithoutLimit({ ...member, ...limit }, access);
  return limit ? lowerOf(role, limit.atMost) : role;
}

function roleWithoutLimit(member: MemberInAccess, access: AccessRecord): Role | null {
  if (member.role === 'admin') return 'admin';
  const granted = grantedTo(member, access);
  if (granted) return granted;
  if (member.role === null) return null;
  return access.level === 'inherit' ? member.role : access.level;
}

/**
 * What a member may do at most in a site: its role in the organization, or what was granted where that is
 * more.
 */
export function roleInSite({
  member,
  access,
}: {
  member: MemberInAccess;
  access: AccessRecord;
}): Role | null {
  const { limit } = member;
  if (limit?.spaces) return null;
  const { role, ...rest } = { ...member, ...limit };
  const granted = grantedTo({ role, ...rest }, access);
  const highest = !granted || !role ? (granted ?? role) : rankOf(granted) > rankOf(role) ? granted : role;
  return limit ? lowerOf(highest, limit.atMost) : highest;
}

/** The same rules as a filter: what the member may see. A token for single spaces finds nothing in lists. */
export function visibleTo(member: MemberInAccess): { 'access.readers'?: { $in: string[] } } {
  if (member.limit?.spaces) return { 'access.readers': { $in: [] } };
  const whole = { ...member, ...member.limit };
  return whole.role === 'admin' ? {} : { 'access.readers': { $in: audienceOf(whole) } };
}

/** `roleInContent` as a filter: spaces and collections of which a member is not an admin. */
export function notAdministeredBy(member: MemberInAccess): Record<string, unknown> {
  const to = { $in: audienceOf(member) };
  const isOpen = { 'access.level': 'admin', 'access.grants': { $not: { $elemMatch: { to } } } };
  return {
    $nor: [
      { 'access.grants': { $elemMatch: { to, role: 'admin' } } },
      ...(member.role === null ? [] : [isOpen]),
      ...(member.role === 'admin' ? [{}] : []),
    ],
  };
}

/** The level at which something is open to members, as the API shows it: `inherit` is resolved. */
export function shownLevel(access: AccessRecord, organization: { defaultRole: Role | null }): Role | null {
  return access.level === 'inherit' ? organization.defaultRole : access.level;
}

/** The highest role that was granted to a member or one of its teams, here or above. */
export function grantedTo(member: MemberInAccess, access: AccessRecord): Role | undefined {
  const names = audienceOf(member);
  return access.grants
    .filter(({ to }) => names.includes(to))
    .map(({ role }) => role)
    .toSorted((a, b) => rankOf(b) - rankOf(a))[0];
}
