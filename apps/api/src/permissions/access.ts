import { Role } from '@bindery/contract';
import { audienceOf, rankOf, type AccessRecord } from '@bindery/models';
import { hasRole } from './role.ts';
import { lowerOf, type ActingMember } from './tokenLimits.ts';

/** A member, reduced to the limits of its token. */
type MemberInAccess = Pick<ActingMember, 'role' | 'user' | 'teams' | 'limit'>;

/**
 * The highest role of a member in a space or a collection. An organization's admin has all rights. Otherwise
 * the first of these applies: the highest role granted to the member or its teams, here or above; the nearest
 * explicit level, going upward; the member's own role. A guest has only granted roles. null is no access.
 *
 * @param id  of the space; a token for single spaces gives no role anywhere else
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
 * The highest role of a member in a site: its role in the organization, or a granted role if that is higher.
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
  const highest = higherOf(role, granted);
  return limit ? lowerOf(highest, limit.atMost) : highest;
}

function higherOf(role: Role | null, granted: Role | undefined): Role | null {
  if (!role || !granted) return granted ?? role;
  return rankOf(granted) > rankOf(role) ? granted : role;
}

/** Whether a member may read a space, by the same rules. */
export function readableBy(member: MemberInAccess): (space: { access: AccessRecord }) => boolean {
  return ({ access }) => roleInContent({ member, access }) !== null;
}

/**
 * The rules of `roleInContent` as a filter for the objects that a member may see. A token for single spaces
 * finds nothing in lists.
 */
export function visibleTo(member: MemberInAccess): { 'access.readers'?: { $in: string[] } } {
  if (member.limit?.spaces) return { 'access.readers': { $in: [] } };
  const whole = { ...member, ...member.limit };
  return whole.role === 'admin' ? {} : { 'access.readers': { $in: audienceOf(whole) } };
}

/** The rules of `roleInContent` as a filter for the objects where a member has a role, or a higher one. */
export function withRoleOf(member: MemberInAccess, role: Role): Record<string, unknown> {
  const { limit } = member;
  if (limit && (limit.spaces || !hasRole(limit.atMost, role))) return { 'access.readers': { $in: [] } };
  const whole = { ...member, ...limit };
  if (whole.role === 'admin') return {};
  const to = { $in: audienceOf(whole) };
  const roles = Role.options.filter((other) => hasRole(other, role));
  const levels = [...roles, ...(hasRole(whole.role, role) ? ['inherit'] : [])];
  const byLevel = { 'access.level': { $in: levels }, 'access.grants': { $not: { $elemMatch: { to } } } };
  return {
    ...visibleTo(member),
    $or: [
      { 'access.grants': { $elemMatch: { to, role: { $in: roles } } } },
      ...(whole.role === null ? [] : [byLevel]),
    ],
  };
}

/** The rules of `roleInContent` as a filter for spaces and collections that a member does not administer. */
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

/** The level at which content is open to members, as the API shows it: `inherit` is resolved. */
export function shownLevel(access: AccessRecord, organization: { defaultRole: Role | null }): Role | null {
  return access.level === 'inherit' ? organization.defaultRole : access.level;
}

/** The highest role granted to a member or its teams, here or above. */
export function grantedTo(member: MemberInAccess, access: AccessRecord): Role | undefined {
  const names = audienceOf(member);
  return access.grants
    .filter(({ to }) => names.includes(to))
    .map(({ role }) => role)
    .toSorted((a, b) => rankOf(b) - rankOf(a))[0];
}
