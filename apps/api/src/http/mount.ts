import { ApiError } from '@bindery/contract';
import express, {
  type Express,
  type IRouter,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { pipeline } from './pipeline.ts';
import type { Route } from './scope.ts';
import type { Services } from './services.ts';

/**
 * Mounts routes under `/v1`.
 *
 * Express tries its layers one by one, which halves the throughput at 200 routes. Routers are therefore
 * nested by common prefix, so that a request passes only a few layers per path level.
 */
export function mount(app: Express, routes: readonly Route[], services: Services): void {
  checkUnique(routes);
  const handlerOf = pipeline(services);
  const paths = new Map<string, MountedPath>();
  for (const route of routes) {
    const mounted = paths.get(route.path) ?? {
      segments: segmentsOf(`/v1${route.path}`),
      handlers: new Map(),
    };
    mounted.handlers.set(route.method, handlerOf(route));
    paths.set(route.path, mounted);
  }
  addPaths(app, [...paths.values()]);
}

/** A path and its handlers by method. */
type MountedPath = {
  segments: string[];
  handlers: Map<Route['method'], (request: Request, response: Response) => Promise<void>>;
};

function addPaths(router: IRouter, paths: MountedPath[], base: string[] = []): void {
  const groups = Map.groupBy(paths, (mounted) => mounted.segments[base.length] ?? '');
  // Express takes the first match, so `latest` comes before `:versionId`, which comes before `*rest`.
  const inOrder = [...groups].toSorted(([a], [b]) => openness(a) - openness(b)).map(([, group]) => group);
  for (const group of inOrder) {
    const prefix = commonPrefix(group);
    // A path that ends here is not put into a nested router, where `/orgs/` would match like `/orgs`.
    for (const mounted of group) if (mounted.segments.length === prefix.length) addPath(router, mounted);
    const deeper = group.filter((mounted) => mounted.segments.length > prefix.length);
    // A nested router is worth its cost only for several paths that have siblings.
    if (groups.size === 1 || deeper.length <= 3) {
      if (deeper.length > 0) addPaths(router, deeper, prefix);
      continue;
    }
    const below = express.Router({ mergeParams: true, strict: true, caseSensitive: true });
    router.use(pathOf(prefix), below);
    addPaths(
      below,
      deeper.map(({ segments, handlers }) => ({ segments: segments.slice(prefix.length), handlers })),
    );
  }
}

function addPath(router: IRouter, { segments, handlers }: MountedPath): void {
  const path = pathOf(segments);
  // A page path may be empty; typed clients then write a trailing slash.
  const route = router.route(
    segments.at(-1)?.includes('*') ? [path, path.replace(/\{\/\*\w+\}$/, '/')] : path,
  );
  for (const [method, handler] of handlers) route[method](handler);
  const methods = [...handlers.keys()].map((method) => method.toUpperCase());
  if (handlers.has('get')) methods.push('HEAD');
  route.all(otherMethod([...methods, 'OPTIONS'].join(', ')));
}

function otherMethod(allow: string): RequestHandler {
  return (request, response) => {
    if (request.method !== 'OPTIONS') {
      throw new ApiError('method_not_allowed', `This path supports ${allow}, not ${request.method}.`, {
        headers: { Allow: allow },
      });
    }
    response.setHeader('Allow', allow);
    response.writeHead(204).end();
  };
}

/**
 * Segments of a path such as `/a/:id/path/*rest`. The rest stays with the segment before it, because it may
 * be empty.
 */
function segmentsOf(path: string): string[] {
  return path
    .replace(/\/\*(\w+)$/, '{|*$1}')
    .split('/')
    .slice(1)
    .map((segment) => segment.replace('{|', '{/'));
}

function pathOf(segments: string[]): string {
  return `/${segments.join('/')}`;
}

function commonPrefix(paths: MountedPath[]): string[] {
  const [first, ...others] = paths.map((mounted) => mounted.segments);
  if (!first) return [];
  const differs = first.findIndex((segment, i) => others.some((other) => other[i] !== segment));
  return differs === -1 ? first : first.slice(0, differs);
}

function openness(segment = ''): number {
  if (segment.includes('*')) return 2;
  return segment.startsWith(':') ? 1 : 0;
}

function checkUnique(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, path, spec } of routes) {
    for (const key of [`${method} ${path.replaceAll(/:\w+/g, ':')}`, `operationId ${spec.operationId}`]) {
      if (seen.has(key)) throw new Error(`Two routes have the same ${key} (${spec.operationId}).`);
      seen.add(key);
    }
  }
}
