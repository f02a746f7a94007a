import type { Role } from '@bindery/contract';
import type { Input, Route } from './http/scope.ts';

/** Those who call, from most to least. A guest is a member without a role of its own and without grants. */
export const callers = ['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest', 'other organization', 'no token'] as const;
export type Caller = (typeof callers)[number];

/** What an operation says to somebody: it does its work, or its refusal. */
export type Verdict = 'yes' | 'forbidden' | 'hidden' | 'no token';

export type PermissionRow = { operationId: string; method: string; path: string; permission: string; verdicts: Record<Caller, Verdict> };

/**
 * Who may do what: every operation for everybody, from the permission that its route names and the functions that decide it.
 *
 * It is about objects that are open at the level of the organization, and that others have made: grants, levels, one's own comments and one's own
 * membership open more or less.
 */
export function permissionTable(routes: readonly Route[]): PermissionRow[] {
  return routes.map((route) => ({
    operationId: route.spec.operationId,
    method: route.method.toUpperCase(),
    path: `/v1${route.path.replaceAll(/[:*](\w+)/g, '{$1}')}`,
    permission: route.spec.permission,
    verdicts: Object.fromEntries(callers.map((caller) => [caller, verdictOf(route, caller)])) as Record<Caller, Verdict>,
  }));
}

function verdictOf(route: Route, caller: Caller): Verdict {
  if (route.admits === 'everyone') return 'yes';
  if (caller === 'no token') return 'no token';
  if (route.steps.length === 0) return 'yes';
  const role = roleOf(caller);
  const input = standIn(role);
  const can: Record<string, boolean> = { token: true };
  for (const step of route.steps) Object.assign(can, step.permissions(input));
  // An invite is redeemed and a domain is joined by those who are no members yet.
  const isVisible = route.spec.permission === 'token' || (caller !== 'other organization' && visible(route, can));
  if (!isVisible) return 'hidden';
  return can[route.spec.permission] ? 'yes' : 'forbidden';
}

/** What a path leads through is visible to those who have its `view`. */
function visible(route: Route, can: Record<string, boolean>): boolean {
  const kinds = [
    ['/orgs/:organizationId', 'organization'],
    ['/sites/:siteId', 'site'],
    ['/spaces/:spaceId', 'space'],
    ['/collections/:collectionId', 'collection'],
  ] as const;
  return kinds.every(([place, kind]) => !route.path.includes(place) || can[`${kind}.view`] !== false);
}

function roleOf(caller: Caller): Role | null {
  return caller === 'guest' || caller === 'other organization' || caller === 'no token' ? null : caller;
}

/** What the scopes would have loaded: somebody with this role everywhere, and objects of somebody else. */
function standIn(role: Role | null): Input {
  const context = {
    actor: { user: { id: 'caller' } },
    reader: { actor: { user: { id: 'caller' } } },
    member: { role, user: 'caller', teams: [] },
    role,
    user: { _id: 'other' },
    target: { user: 'other' },
    team: { _id: 'team' },
    comment: { postedBy: 'other' },
    commentReply: { postedBy: 'other' },
    changeRequest: { requestedReviewers: [] },
    mayControl: role !== null,
  };
  return context as unknown as Input;
}
