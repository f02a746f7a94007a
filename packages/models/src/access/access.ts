import type { Role } from '@bindery/contract';
import { Schema } from 'mongoose';
import type { GrantRecord } from '../organization/grant.ts';
import type { MemberRecord } from '../organization/organization.ts';

/**
 * Who may do what in a space, a collection or a site: its own rules together with those of the collections above it.
 *
 * It is kept beside each object, so that one index answers who sees what, and a list needs no query for each of its items. refreshAccess.ts
 * keeps it right.
 */
export type AccessRecord = {
  /** The first explicit level upward; `inherit` where there is none: then a member's own role counts. null is open to nobody by default. */
  level: Role | 'inherit' | null;
  /** What was granted here and above, the highest for each; `to` is the id of a user or a team. */
  grants: { to: string; role: Role }[];
  /** Under these names it is found by those who may see it: `everyMember`, unless the level is null, and everybody with a grant. */
  readers: string[];
};

/** Stands in `readers` for all members but guests. */
export const everyMember = 'members';

export const accessSchema = new Schema<AccessRecord>(
  {
    level: { type: String, default: 'inherit' },
    grants: { type: [new Schema({ to: String, role: String }, { _id: false })], default: [] } as never,
    readers: { type: [String], default: [everyMember] },
  },
  { _id: false },
);

/** The names under which a member is found in `readers`. An admin needs none: it sees everything. */
export function audienceOf({ role, user, teams }: Pick<MemberRecord, 'role' | 'user' | 'teams'>): string[] {
  return [...(role === null ? [] : [everyMember]), user, ...teams.map(({ team }) => team)];
}

/** Of something with this level of its own and these grants, below a parent (none: at the root). */
export function accessBelow(
  parent: AccessRecord | undefined,
  { defaultLevel, grants = [] }: { defaultLevel: Role | 'inherit' | null; grants?: readonly Pick<GrantRecord, 'principal' | 'role'>[] },
): AccessRecord {
  const level = defaultLevel === 'inherit' ? (parent ? parent.level : 'inherit') : defaultLevel;
  const highest = new Map(parent?.grants.map(({ to, role }) => [to, role]));
  for (const { principal, role } of grants) {
    const known = highest.get(principal);
    if (!known || rankOf(role) > rankOf(known)) highest.set(principal, role);
  }
  return {
    level,
    grants: [...highest].map(([to, role]) => ({ to, role })),
    readers: [...(level === null ? [] : [everyMember]), ...highest.keys()],
  };
}

const rank: readonly Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin'];

/** The place of a role among the roles, from the least to the most. */
export function rankOf(role: Role): number {
  return rank.indexOf(role);
}
