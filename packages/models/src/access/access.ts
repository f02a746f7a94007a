import type { Role } from '@bindery/contract';
import { Schema } from 'mongoose';
import type { GrantRecord } from './grant.ts';

/**
 * The access rules of a space, a collection or a site, including those inherited from the collections above
 * it.
 *
 * Stored beside each object, so that one index finds the objects that a member sees, and a list needs no
 * query per item. refreshAccess.ts keeps it up to date.
 */
export type AccessRecord = {
  /**
   * The nearest explicit level, from the object upward; `inherit` without one: then a member's own role
   * counts. null gives no access by default.
   */
  level: Role | 'inherit' | null;
  /** The highest role granted to each user or team, here or above; `to` is the id of the user or team. */
  grants: { to: string; role: Role }[];
  /**
   * The audiences that may see the object: `everyMember`, unless the level is null, and all users and teams
   * with a grant.
   */
  readers: string[];
};

/** The entry in `readers` for all members except guests. */
export const everyMember = 'members';

export const accessSchema = new Schema<AccessRecord>(
  {
    level: { type: String, default: 'inherit' },
    grants: { type: [new Schema({ to: String, role: String }, { _id: false })], default: [] } as never,
    readers: { type: [String], default: [everyMember] },
  },
  { _id: false },
);

/** The fields of a member that decide what the member sees. */
type Audience = { role: Role | null; user: string; teams: readonly { team: string }[] };

/** The entries in `readers` that match a member. An admin sees everything and needs none. */
export function audienceOf({ role, user, teams }: Audience): string[] {
  return [...(role === null ? [] : [everyMember]), user, ...teams.map(({ team }) => team)];
}

/**
 * Computes the access of an object with this level and these grants of its own, below a parent (none: at the
 * root).
 */
export function accessBelow(
  parent: AccessRecord | undefined,
  {
    defaultLevel,
    grants = [],
  }: { defaultLevel: Role | 'inherit' | null; grants?: readonly Pick<GrantRecord, 'principal' | 'role'>[] },
): AccessRecord {
  const inherited = parent ? parent.level : 'inherit';
  const level = defaultLevel === 'inherit' ? inherited : defaultLevel;
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

/** The rank of a role, from least to most powerful. */
export function rankOf(role: Role): number {
  return rank.indexOf(role);
}
