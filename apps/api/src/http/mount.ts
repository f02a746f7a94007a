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
 * Puts routes under `/v1`.
 *
 * Express tries its layers one by one, which costs half of the throughput at 200 routes: routers are made by
 * common prefix, so that a request passes a few layers at each level of its path only.
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

/** A path and what it answers, by method. */
type MountedPath = {
  segments: string[];
  handlers: Map<Route['method'], (request: Request, response: Response) => Promise<void>>;
};

function addPaths(router: IRouter, paths: MountedPath[], base: string[] = []): void {
  const groups = Map.groupBy(paths, (mounted) => mounted.segments[base.length] ?? '');
  // Express takes the first match, so `latest` stands before `:versionId`, and that before `*rest`.
  const inOrder = [...groups].toSorted(([a], [b]) => openness(a) - openness(b)).map(([, group]) => group);
  for (const group of inOrder) {
    const prefix = commonPrefix(group);
    // The path that ends here is not put into a router below: there `/orgs/` would count as `/orgs`.
    for (const mounted of group) if (mounted.segments.length === prefix.length) addPath(router, mounted);
    const deeper = group.filter((mounted) => mounted.segments.length > prefix.length);
    // A router of its own pays for several paths beside others.
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
  // A page path may be empty, which a typed client writes as a slash at the end.
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

/** `/a/:id/path/*rest` in pieces; a rest stays with the segment before it, because it may be empty. */
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
