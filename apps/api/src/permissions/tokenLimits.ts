import type { Role, TokenScope } from '@bindery/contract';
import { rankOf, type MemberRecord } from '@bindery/models';
import type { Actor, TokenLimits } from '../http/actor.ts';

/**
 * A member within the limits of the caller's token. With `limit`, `role` and `teams` are reduced, and `limit`
 * has the original ones.
 */
export type ActingMember = MemberRecord & { limit?: MemberLimit };

export type MemberLimit = Pick<MemberRecord, 'role' | 'teams'> & {
  /** Upper bound of every role that the member has. */
  atMost: Role;
  /** If set, the only spaces that the token reaches. */
  spaces?: readonly string[];
};

/** The scopes that each scope includes. */
const included: Record<TokenScope, readonly TokenScope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  jobs: ['read', 'jobs'],
  admin: ['read', 'write', 'jobs', 'admin'],
};

/** All scopes included in those of a token; every scope for a token without limits. */
export function scopesOf(limits: TokenLimits | undefined): ReadonlySet<TokenScope> {
  return new Set((limits?.scopes ?? (['admin'] as const)).flatMap((scope) => included[scope]));
}

/**
 * Whether a token is limited to organizations or spaces, and therefore must not reach the user's own data.
 */
export function isNarrowed(limits: TokenLimits | undefined): boolean {
  return limits?.organizations !== undefined || limits?.spaces !== undefined;
}

/** Whether a token has all rights of its user; it may still expire. */
export function holdsEverything(limits: TokenLimits | undefined): boolean {
  return scopesOf(limits).has('admin') && !isNarrowed(limits);
}

/** Whether a token reaches a whole organization. */
function reachesOrganization(limits: TokenLimits | undefined, organization: string): boolean {
  return !isNarrowed(limits) || limits?.organizations?.includes(organization) === true;
}

/**
 * A membership within the limits of the caller's token; undefined when the token neither reaches the
 * organization nor is limited to single spaces.
 */
export function throughToken(member: MemberRecord, { limits }: Actor): ActingMember | undefined {
  if (!limits) return member;
  const atMost = roleAtMost(scopesOf(limits));
  const { role, teams } = member;
  if (reachesOrganization(limits, member.organization))
    return atMost === 'admin'
      ? member
      : { ...member, role: lowerOf(role, atMost), limit: { role, teams, atMost } };
  return (
    limits.spaces && {
      ...member,
      role: null,
      teams: [],
      limit: { role, teams, atMost, spaces: limits.spaces },
    }
  );
}

/** The highest role that routes with these scopes can require. */
function roleAtMost(scopes: ReadonlySet<TokenScope>): Role {
  if (scopes.has('admin')) return 'admin';
  return scopes.has('write') || scopes.has('jobs') ? 'create' : 'read';
}

export function lowerOf(role: Role | null, atMost: Role): Role | null {
  return role !== null && rankOf(role) > rankOf(atMost) ? atMost : role;
}
