import type { Role } from '@bindery/contract';
import { rankOf, type AccessRecord } from '@bindery/models';

/** A filter for members. */
type MemberFilter = Record<string, unknown>;

/**
 * The rules of `roleInContent` as a filter for the members of an organization that can see a space or a
 * collection.
 *
 * @param role  only members with exactly this role there
 */
export function membersInContent({ level, grants }: AccessRecord, role?: Role): MemberFilter {
  const all = grants.map(({ to }) => to);
  if (!role)
    return anyOf([
      { role: 'admin' },
      ...grantedTo(all),
      ...(level === null ? [] : [{ role: { $ne: null } }]),
    ]);
  const byGrant = {
    $and: [
      { role: { $ne: 'admin' } },
      anyOf(grantedTo(idsWith(grants, role))),
      ungranted(idsAbove(grants, role)),
    ],
  };
  const withoutGrant = roleWithoutGrant(level, role).map((filter) => ({ ...filter, ...ungranted(all) }));
  return anyOf([byGrant, ...(role === 'admin' ? [{ role }] : []), ...withoutGrant]);
}

/** A member's own role applies only where no level is set; an admin's always. */
function roleWithoutGrant(level: AccessRecord['level'], role: Role): MemberFilter[] {
  if (level === 'inherit') return [{ role }];
  return level === role ? [{ role: { $nin: ['admin', null] } }] : [];
}

/** The rules of `roleInSite` as a filter for members. */
export function membersInSite({ grants }: AccessRecord, role?: Role): MemberFilter {
  if (!role) return anyOf([{ role: { $ne: null } }, ...grantedTo(grants.map(({ to }) => to))]);
  const above = (['read', 'comment', 'edit', 'review', 'create', 'admin'] as const).filter(
    (other) => rankOf(other) > rankOf(role),
  );
  return {
    $and: [
      anyOf([{ role }, ...grantedTo(idsWith(grants, role))]),
      { role: { $nin: above } },
      ungranted(idsAbove(grants, role)),
    ],
  };
}

/**
 * An `$or` in a form that uses no index: with one, MongoDB would combine several indexes and sort the result
 * instead of reading the members in their order.
 */
function anyOf(filters: readonly MemberFilter[]): MemberFilter {
  return { $nor: [{ $nor: filters }] };
}

function grantedTo(ids: readonly string[]): MemberFilter[] {
  return [{ user: { $in: ids } }, { 'teams.team': { $in: ids } }];
}

function ungranted(ids: readonly string[]): MemberFilter {
  return { user: { $nin: ids }, 'teams.team': { $nin: ids } };
}

function idsWith(grants: AccessRecord['grants'], role: Role): string[] {
  return grants.filter((grant) => grant.role === role).map(({ to }) => to);
}

function idsAbove(grants: AccessRecord['grants'], role: Role): string[] {
  return grants.filter((grant) => rankOf(grant.role) > rankOf(role)).map(({ to }) => to);
}
