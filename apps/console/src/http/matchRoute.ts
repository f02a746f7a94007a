import type { Route } from './route.ts';

export type Matched = { route: Route; params: Record<string, string> };

/**
 * Finds the route of a path. A segment such as `:space` takes any text that is not empty, and `*page` at the
 * end takes the rest, also an empty one; fixed segments come first.
 *
 * @returns the methods that the path has instead, when it has no route of this one
 */
export function matchRoute(
  routes: readonly Route[],
  { method, pathname }: { method: string; pathname: string },
): Matched | { allowed: string[] } | undefined {
  const given = segmentsOf(pathname);
  if (!given) return undefined;
  const matching = routes
    .flatMap((route) => {
      const params = paramsOf(route.path, given);
      return params ? [{ route, params }] : [];
    })
    .toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  const wanted = method === 'POST' ? 'post' : 'get';
  const found = matching.find(({ route }) => route.method === wanted);
  if (found) return found;
  return matching.length > 0
    ? { allowed: matching.map(({ route }) => (route.method === 'get' ? 'GET, HEAD' : 'POST')) }
    : undefined;
}

/** @returns undefined for a path with `%` that is no valid encoding */
function segmentsOf(pathname: string): string[] | undefined {
  try {
    return pathname.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function paramsOf(path: string, given: readonly string[]): Record<string, string> | undefined {
  const wanted = path.slice(1).split('/');
  const hasRest = wanted.at(-1)?.startsWith('*') ?? false;
  if (hasRest ? given.length < wanted.length : given.length !== wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith('*')) params[segment.slice(1)] = given.slice(index).join('/');
    else if (segment.startsWith(':') && value !== '') params[segment.slice(1)] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}
