import { ApiError, type TokenScope } from '@bindery/contract';
import type { Actor } from '../http/actor.ts';
import type { Route } from '../http/scope.ts';
import { isNarrowed, scopesOf } from './tokenLimits.ts';

/**
 * Permissions that are about rights, secrets and what is visible, whatever the method: besides those that are
 * called `admin`.
 */
const administrative = new Set([
  'member.remove',
  'site.editAdaptiveSchema',
  'space.viewInviteLinks',
  'collection.viewInviteLinks',
]);

/**
 * Permissions that are about looking. With another method than GET, something is changed for which nobody
 * needs more.
 */
const forReading = /\.(view|access|viewAdaptiveSchema|listMembers|listTeams)$|^(token|public)$/;

/**
 * The scope of a token that an operation takes. `user` is for what belongs to the user alone, and to no
 * organization: it takes `admin`, and a token that is not narrowed to organizations or spaces.
 */
export function scopeOf({ spec, method, kind, admits }: Route): TokenScope | 'user' {
  const { permission, startsJob, tokenScope } = spec;
  if (tokenScope) return tokenScope;
  if (permission.endsWith('.admin') || administrative.has(permission)) return 'admin';
  const isRead = method === 'get' || kind === 'list' || admits !== 'users';
  if (isRead && forReading.test(permission)) return 'read';
  if (permission === 'job.control' || permission === 'space.triggerGitSync') return isRead ? 'read' : 'jobs';
  return startsJob && !isRead ? 'jobs' : 'write';
}

/** @throws forbidden when the caller's token does not hold what the operation takes */
export function requireScope(route: Route, { limits }: Actor): void {
  if (!limits) return;
  const needed = scopeOf(route);
  const scope = needed === 'user' ? 'admin' : needed;
  if (!scopesOf(limits).has(scope)) {
    throw new ApiError('forbidden', `Requires a token with the scope \`${scope}\`.`, {
      action: `Use a token with the scope \`${scope}\`, or one without scopes, which holds everything.`,
    });
  }
  if (needed === 'user' && isNarrowed(limits)) {
    throw new ApiError(
      'forbidden',
      'This operation concerns the user; this token is limited to organizations or spaces.',
      {
        action: 'Use a token without `organizations` and `spaces`.',
      },
    );
  }
}
