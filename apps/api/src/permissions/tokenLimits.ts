import type { Role, TokenScope } from '@bindery/contract';
import { rankOf, type MemberRecord } from '@bindery/models';
import type { Actor, TokenLimits } from '../http/actor.ts';

/** A member as the caller's token lets it act. With `limit`, `role` and `teams` are what is left of them. */
export type ActingMember = MemberRecord & { limit?: MemberLimit };

export type MemberLimit = Pick<MemberRecord, 'role' | 'teams'> & {
  /** No role that the member has anywhere counts for more. */
  atMost: Role;
  /** The only spaces that it reaches. */
  spaces?: readonly string[];
};

/** What each scope includes. */
const included: Record<TokenScope, readonly TokenScope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  jobs: ['read', 'jobs'],
  admin: ['read', 'write', 'jobs', 'admin'],
};

/** Everything that these scopes include; without any, everything there is. */
export function scopesOf(limits: TokenLimits | undefined): ReadonlySet<TokenScope> {
  return new Set((limits?.scopes ?? (['admin'] as const)).flatMap((scope) => included[scope]));
}

/**
 * Whether a token reaches less than its user does, so that what belongs to the user alone is out of its
 * reach.
 */
export function isNarrowed(limits: TokenLimits | undefined): boolean {
  return limits?.organizations !== undefined || limits?.spaces !== undefined;
}

/** Whether a token is, for as long as it works, as good as its user. */
export function holdsEverything(limits: TokenLimits | undefined): boolean {
  return scopesOf(limits).has('admin') && !isNarrowed(limits);
}

/** Whether a token reaches an organization as a whole. */
function reachesOrganization(limits: TokenLimits | undefined, organization: string): boolean {
  return !isNarrowed(limits) || limits?.organizations?.includes(organization) === true;
}

/**
 * A membership of the caller as its token lets it act; undefined where the token does not reach the
 * organization, nor any single space.
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

/** The role that includes all that a route with these scopes may ask for. */
function roleAtMost(scopes: ReadonlySet<TokenScope>): Role {
  if (scopes.has('admin')) return 'admin';
  return scopes.has('write') || scopes.has('jobs') ? 'create' : 'read';
}

export function lowerOf(role: Role | null, atMost: Role): Role | null {
  return role !== null && rankOf(role) > rankOf(atMost) ? atMost : role;
}
