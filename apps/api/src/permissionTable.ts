import { ApiError, type Role } from '@bindery/contract';
import type { Input, Route } from './http/scope.ts';
import { hasRole } from './permissions/role.ts';

/** Callers from most to fewest rights. A guest is a member without a role of its own and without grants. */
export const callers = [
  'admin',
  'create',
  'review',
  'edit',
  'comment',
  'read',
  'guest',
  'other organization',
  'no token',
] as const;
export type Caller = (typeof callers)[number];

/**
 * Callers of closed objects. Callers with a grant are guests; the member has the role `create` and no grant.
 */
export const callersOfClosed = [
  'admin',
  'granted admin',
  'granted create',
  'granted review',
  'granted edit',
  'granted comment',
  'granted read',
  'member',
  'guest',
] as const;
export type CallerOfClosed = (typeof callersOfClosed)[number];

/** Result of an operation for a caller: `yes`, or the kind of refusal. */
export type Verdict = 'yes' | 'forbidden' | 'hidden' | 'no token';

type Row<C extends string> = {
  operationId: string;
  method: string;
  path: string;
  permission: string;
  verdicts: Record<C, Verdict>;
};

/** Roles of a caller: in the organization, and in its spaces, collections and sites. */
type Roles = { own: Role | null; inContent: Role | null };

/**
 * The permission table: the verdict of every operation for every kind of caller, from the permission of its
 * route and the functions that decide it.
 *
 * It covers objects of other users that are open to the organization. Grants, levels, the caller's own
 * comments and the caller's own membership can change the result.
 */
export function permissionTable(routes: readonly Route[]): Row<Caller>[] {
  return routes.map((route) => rowOf(route, callers, (caller) => verdictOf(route, caller)));
}

/** The same table for closed spaces and collections, and for objects that only their readers see. */
export function permissionTableOfClosed(routes: readonly Route[]): Row<CallerOfClosed>[] {
  const isInContent = ({ path }: Route) => closable.some((place) => path.includes(place));
  return routes
    .filter((route) => route.admits !== 'everyone' && isInContent(route))
    .map((route) => rowOf(route, callersOfClosed, (caller) => verdictFor(route, rolesInClosed(caller))));
}

const closable = [
  '/spaces/:spaceId',
  '/collections/:collectionId',
  '/translations/:translationId',
  '/jobs/:jobId',
  '/imports/:importRunId',
];

function rolesInClosed(caller: CallerOfClosed): Roles {
  if (caller === 'admin') return { own: 'admin', inContent: 'admin' };
  if (caller === 'member') return { own: 'create', inContent: null };
  return { own: null, inContent: caller === 'guest' ? null : (caller.slice('granted '.length) as Role) };
}

function rowOf<C extends string>(route: Route, of: readonly C[], verdict: (caller: C) => Verdict): Row<C> {
  return {
    operationId: route.spec.operationId,
    method: route.method.toUpperCase(),
    path: `/v1${route.path.replaceAll(/[:*](\w+)/g, '{$1}')}`,
    permission: route.spec.permission,
    verdicts: Object.fromEntries(of.map((caller) => [caller, verdict(caller)])) as Record<C, Verdict>,
  };
}

function verdictOf(route: Route, caller: Caller): Verdict {
  if (route.admits === 'everyone') return 'yes';
  if (caller === 'no token') return 'no token';
  if (route.steps.length === 0) return 'yes';
  const role = roleOf(caller);
  // Non-members redeem invites and join through a domain.
  if (caller === 'other organization' && route.spec.permission !== 'token') return 'hidden';
  return verdictFor(route, { own: role, inContent: role });
}

function verdictFor(route: Route, roles: Roles): Verdict {
  const input = standIn(roles, route);
  const can: Record<string, boolean> = { token: true };
  for (const step of route.steps) Object.assign(can, step.permissions(input));
  if (route.spec.permission !== 'token' && !visible(route, can)) return 'hidden';
  return can[route.spec.permission] ? requiredVerdict(route, { ...input, can }) : 'forbidden';
}

/** The verdict of the rights that a route requires besides its permission. */
function requiredVerdict({ spec }: Route, input: Input): Verdict {
  try {
    spec.requires?.(input);
    return 'yes';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 'not_found' ? 'hidden' : 'forbidden';
  }
}

/** Whether every object on the path is visible to a caller: its `view` permission is required. */
function visible(route: Route, can: Record<string, boolean>): boolean {
  const kinds = [
    ['/orgs/:organizationId', 'organization'],
    ['/sites/:siteId', 'site'],
    ['/custom-hostnames/:hostname', 'site'],
    ['/spaces/:spaceId', 'space'],
    ['/collections/:collectionId', 'collection'],
    ['/translations/:translationId', 'translation'],
    ['/translations-glossary/:glossaryEntryId', 'glossary'],
    ['/openapi/:specSlug', 'openapi'],
    ['/jobs/:jobId', 'job'],
    ['/imports/:importRunId', 'job'],
  ] as const;
  return kinds.every(([place, kind]) => !route.path.includes(place) || can[`${kind}.view`] !== false);
}

function roleOf(caller: Caller): Role | null {
  return caller === 'guest' || caller === 'other organization' || caller === 'no token' ? null : caller;
}

/** The input that scopes would load for a caller with these roles, on objects that another user made. */
function standIn({ own, inContent }: Roles, { path }: Route): Input {
  const context = {
    actor: { user: { id: 'caller' } },
    reader: { actor: { user: { id: 'caller' } } },
    member: { role: own, user: 'caller', teams: [] },
    role: inContent,
    user: { _id: 'other' },
    target: { user: 'other' },
    team: { _id: 'team' },
    comment: { postedBy: 'other' },
    commentReply: { postedBy: 'other' },
    changeRequest: { requestedReviewers: [] },
    seesSource: inContent !== null,
    // A private specification that nothing shows.
    seesSpec: own !== null,
    seesSubject: inContent !== null,
    translation: { result: { space: 'result' } },
    resultRole: inContent,
    // Guests may upload once they may edit something.
    mayUpload: own !== null || hasRole(inContent, 'edit'),
    mayImport: hasRole(inContent, 'create'),
    // The role required to start the import: of content, or of a git sync.
    mayControl: hasRole(inContent, path.includes('/imports/:importRunId') ? 'edit' : 'create'),
  };
  return context as unknown as Input;
}
