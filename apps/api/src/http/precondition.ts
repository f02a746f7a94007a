import { ApiError } from '@bindery/contract';
import { withCondition } from '@bindery/models';
import type { Request } from 'express';
import type { Input, PresentVersion, Route } from './scope.ts';

/**
 * Runs the handler of a request that may write. With `If-Match`, it runs only if the header names the present
 * version of the innermost versioned object of the path, which is checked in the transaction that writes.
 *
 * @throws precondition_failed when the object has another version, and when no object has one
 */
export async function onCondition<T>(
  { route, input, request }: { route: Route; input: Input; request: Request },
  run: () => Promise<T>,
): Promise<T> {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || !isConditional(route)) return run();
  const presentVersion = versionOf(route, input);
  if (!presentVersion) {
    if (wanted.trim() === '*') return run();
    throw new ApiError('precondition_failed', 'No object in this path has a version for `If-Match`.', {
      action: 'Send the request without `If-Match`.',
    });
  }
  return withCondition(async (session) => {
    if (names(wanted, await presentVersion(session))) return;
    throw new ApiError('precondition_failed', 'The object has changed since the version in `If-Match`.', {
      action: 'Read it again, then apply the change to its current version.',
    });
  }, run);
}

/**
 * Whether `If-Match` applies: to every route that may write. Routes that visitors or anonymous callers may
 * use only read, whatever their method.
 */
export function isConditional({ method, kind, admits }: Route): boolean {
  return method !== 'get' && kind !== 'list' && admits === 'users';
}

function versionOf(route: Route, input: Input): PresentVersion | undefined {
  const version = route.spec.version ?? route.steps.findLast((step) => step.version)?.version;
  return version === undefined || version === 'none' ? undefined : version(input);
}

/**
 * Whether a list of entity tags contains one of this version. `*` matches any version of an object that
 * exists.
 */
function names(header: string, version: number | undefined): boolean {
  if (version === undefined) return false;
  return (
    header.trim() === '*' ||
    header.split(',').some((part) => /^\s*"(\d+)\.[\w-]+"\s*$/.exec(part)?.[1] === String(version))
  );
}
