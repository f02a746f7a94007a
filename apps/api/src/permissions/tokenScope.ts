import { ApiError, type TokenScope } from '@bindery/contract';
import type { Actor } from '../http/actor.ts';
import type { Route } from '../http/scope.ts';
import { isNarrowed, scopesOf } from './tokenLimits.ts';

/**
 * Permissions on rights, secrets and visibility, besides those named `admin`; their routes require the scope
 * `admin` for every method.
 */
const administrative = new Set([
  'member.remove',
  'site.editAdaptiveSchema',
  'space.viewInviteLinks',
  'collection.viewInviteLinks',
]);

/**
 * Permissions to read. A method other than GET still changes something, but requires no higher permission.
 */
const forReading = /\.(view|access|viewAdaptiveSchema|listMembers|listTeams)$|^(token|public)$/;

/**
 * The token scope that an operation requires. `user` is for data of the user alone, outside any organization:
 * it requires the scope `admin` and a token that is not limited to organizations or spaces.
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

/** @throws forbidden when the caller's token lacks the scope of the operation */
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
