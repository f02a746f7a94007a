import { ListQuery, type TokenScope } from '@bindery/contract';
import type { ClientSession } from '@bindery/models';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Platform } from '../platform.ts';
import type { Actor, Reader, Visitor } from './actor.ts';
import type { Page, PageQuery } from './answer/paging.ts';
import type { Reply } from './answer/reply.ts';
import type { RequestContext } from './requestContext.ts';

/** Root scope of every route that requires a token. */
export const root: Scope<{ actor: Actor }, 'token'> = makeScope({
  name: 'Platform',
  path: '',
  steps: [],
  admits: 'users',
});

/** The same for what the visitors of a site may read too: `reader` tells which of the two it is. */
export const forReaders: Scope<{ reader: Reader }, 'token'> = makeScope({
  name: 'Platform',
  path: '',
  steps: [],
  admits: 'readers',
});

/** Root scope of the few routes that require no token. */
export const open: Scope<object, 'public'> = makeScope({
  name: 'Platform',
  path: '',
  steps: [],
  admits: 'everyone',
});

/**
 * A part of the URL tree: loads the objects that its URL names, once, and knows the permissions of the caller
 * on them.
 *
 * `Ctx` is what handlers get from it, `P` the permissions that its routes may name; a nested scope has those
 * of its parents too. `load` throws `notFound` for what is absent or invisible. It stands before
 * `permissions` in a definition, or nothing infers. Paths are `/a/:id`; a last segment `*rest` takes any
 * number of segments, also none.
 */
export interface Scope<Ctx extends object, P extends string> {
  readonly name: string;
  scope<S extends ParamShape, Add extends object, P2 extends string>(definition: {
    name: string;
    path: string;
    params: S;
    load: (at: Ctx & ParamsOf<S> & Always<P>) => Promise<Add>;
    permissions: (at: Merge<Ctx, Add> & ParamsOf<S>) => Record<P2, boolean>;
    /**
     * How the present version of what was loaded is read: `If-Match` is compared with it on every method that
     * may change something. Without it, that of the parent above counts; `none` where that tells nothing
     * about what is changed here.
     */
    version?: ((at: Merge<Ctx, Add> & ParamsOf<S>) => PresentVersion) | 'none';
  }): Scope<Merge<Ctx, Add> & ParamsOf<S>, P | P2>;
  get: Operation<Ctx, P>;
  post: Operation<Ctx, P>;
  put: Operation<Ctx, P>;
  patch: Operation<Ctx, P>;
  /**
   * Answers 204, also when its own object (the last id of the path) is not there; a parent that is not there
   * is still 404.
   */
  delete<S extends ParamShape = NoParams>(
    path: string,
    spec: CommonSpec<P> & { params?: S },
    handle: (input: Ctx & ParamsOf<S> & Always<P>) => Promise<void>,
  ): Route;
  /**
   * Adds `page` and `limit` to the query, as `query.after` and `query.limit`, and wraps the envelope; `also`
   * names further fields of it. One that is asked for with a `body` is a POST, and its pages belong to that
   * body. A list that may be very long is counted up to `countsUpTo` only.
   */
  list<
    I extends z.ZodType,
    Q extends z.ZodObject = NoFields,
    A extends z.ZodRawShape = NoParams,
    S extends ParamShape = NoParams,
    B extends z.ZodType = z.ZodUndefined,
  >(
    path: string,
    spec: CommonSpec<P> & {
      params?: S;
      query?: Q;
      body?: B;
      item: I;
      also?: A;
      etag?: true;
      countsUpTo?: number;
    },
    handle: (
      input: Ctx & ParamsOf<S> & Always<P> & { query: z.output<Q> & PageQuery; body: z.output<B> },
    ) => Promise<Page<z.input<I>> & z.input<z.ZodObject<A>>>,
  ): Route;
  /**
   * A stream, a redirect, a download, server-sent events: the handler writes the response itself. A body is
   * read only where a schema is given.
   */
  raw<
    Q extends z.ZodObject = NoFields,
    B extends z.ZodType = z.ZodUndefined,
    S extends ParamShape = NoParams,
  >(
    method: Method,
    path: string,
    spec: CommonSpec<P> &
      BodySpec & { params?: S; query?: Q; body?: B; answers: readonly RawAnswer[]; accepts?: string },
    handle: (
      input: Ctx & ParamsOf<S> & Always<P> & { query: z.output<Q>; body: z.output<B> },
      request: Request,
      response: Response,
    ) => Promise<void>,
  ): Route;
}

interface Operation<Ctx, P extends string> {
  <
    R extends z.ZodType = z.ZodVoid,
    Q extends z.ZodObject = NoFields,
    B extends z.ZodType = z.ZodUndefined,
    S extends ParamShape = NoParams,
  >(
    path: string,
    spec: CommonSpec<P> &
      BodySpec & {
        params?: S;
        query?: Q;
        body?: B;
        response?: R;
        /** 200, or 204 without a `response`. */
        status?: 200 | 201 | 204;
        /**
         * The response carries an `ETag` of its bytes, and `If-None-Match` gets 304. A handler that knows a
         * better tag calls `reply.etag`.
         */
        etag?: true;
        /** `Idempotency-Key` is honoured. */
        idempotent?: true;
        /** The response carries `X-Job-Id` and `Link`: the handler calls `reply.startedJob`. */
        startsJob?: true;
        /**
         * How the version that `If-Match` is compared with is read, where the object that the path names is
         * not that of a scope.
         */
        version?: ((input: Ctx & ParamsOf<S>) => PresentVersion) | 'none';
      },
    handle: (
      input: Ctx & ParamsOf<S> & Always<P> & { query: z.output<Q>; body: z.output<B> },
    ) => Promise<z.input<R>>,
  ): Route;
}

/**
 * What every handler gets beside what its scopes loaded; `can` tells what the caller may do here, for checks
 * that depend on the body.
 */
export type Always<P extends string> = {
  platform: Platform;
  request: RequestContext;
  reply: Reply;
  can: Record<P, boolean>;
};

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type RawAnswer = { status: number; description: string; contentType?: string | readonly string[] };

export type CommonSpec<P extends string> = {
  operationId: string;
  summary: string;
  description?: string;
  /** Chapters of the reference page; the name of the scope unless told. */
  tags?: readonly string[];
  deprecated?: true;
  /** What to call instead of a deprecated operation: a path of the API with parameters that both have. */
  successor?: string;
  permission: P;
  /**
   * The scope that a token needs for it, where that does not follow from the permission and the method
   * (`scopeOf`).
   */
  tokenScope?: TokenScope | 'user';
  /** The operation can answer 307: when, and where its `Location` leads. */
  redirect?: string;
  /** Further headers of the answer, each with its description. */
  headers?: Record<string, string>;
};

export type BodySpec = {
  /** `large` takes 10 MB instead of 1 MB: for content, instructions and specification text. */
  bodySize?: 'normal' | 'large';
};

/** One operation, as the router, the document and the tests read it. */
export type Route = {
  readonly kind: 'operation' | 'delete' | 'list' | 'raw';
  readonly method: Method;
  /** From the root of the API: `/spaces/:spaceId/comments`. */
  readonly path: string;
  /**
   * Whether the last id of the path belongs to the route's own scope, so that its absence is the absence of
   * the object itself.
   */
  readonly isOwnObject: boolean;
  readonly admits: Admission;
  readonly scopeName: string;
  readonly steps: readonly ScopeStep[];
  readonly spec: RouteSpec;
  readonly handle: (input: Input, request: Request, response: Response) => Promise<unknown>;
};

export type RouteSpec = CommonSpec<string> &
  BodySpec & {
    params?: ParamShape;
    query?: z.ZodObject;
    body?: z.ZodType;
    response?: z.ZodType;
    status?: number;
    etag?: true;
    idempotent?: true;
    startsJob?: true;
    version?: ((at: Input) => PresentVersion) | 'none';
    answers?: readonly RawAnswer[];
    accepts?: string;
  };

/** Users with a token; these and the visitors of a site; or everyone, with a token or without. */
export type Admission = 'users' | 'readers' | 'everyone';

/** A scope without its types. */
export type ScopeStep = {
  readonly params: ParamShape;
  readonly load: (at: Input) => Promise<object>;
  readonly permissions: (at: Input) => Record<string, boolean>;
  readonly version?: ((at: Input) => PresentVersion) | 'none';
};

/** Reads the version of an object, in the transaction that writes; undefined when it is not there. */
export type PresentVersion = (session: ClientSession | undefined) => Promise<number | undefined>;

/** What is handed from scope to scope to handler, without its types. */
export type Input = Always<string> & {
  params: Record<string, unknown>;
  query?: unknown;
  body?: unknown;
  actor?: Actor;
  visitor?: Visitor;
  reader?: Reader;
};

export type ParamShape = Record<string, z.ZodType<unknown, string>>;
type ParamsOf<S> = { params: { [K in keyof S]: z.output<S[K]> } };
type NoParams = Record<never, never>;
type NoFields = z.ZodObject<NoParams>;
// A plain intersection would turn a field that a nested scope replaces into `never`.
type Merge<C, A> = Omit<C, keyof A> & A;

type ScopeDefinition = { name: string; path: string; steps: readonly ScopeStep[]; admits: Admission };

function makeScope<Ctx extends object, P extends string>(parent: ScopeDefinition): Scope<Ctx, P> {
  // The only casts of this layer: here the types of a route and of a scope end, and what runs them sees plain
  // values.
  const route = (
    kind: Route['kind'],
    method: Method,
    path: string,
    spec: unknown,
    handle: unknown,
  ): Route => ({
    kind,
    method,
    path: checkedPath(parent, path, (spec as RouteSpec).params),
    isOwnObject: path === '' || (spec as RouteSpec).params !== undefined,
    admits: parent.admits,
    scopeName: parent.name,
    steps: parent.steps,
    spec: spec as RouteSpec,
    handle: handle as Route['handle'],
  });
  const operation =
    (method: Method): Operation<Ctx, P> =>
    (path, spec, handle) =>
      route('operation', method, path, spec, handle);
  return {
    name: parent.name,
    scope: ({ name, path, params, load, permissions, version }) =>
      makeScope({
        name,
        path: checkedPath(parent, path, params),
        steps: [...parent.steps, { params, load, permissions, version } as unknown as ScopeStep],
        admits: parent.admits,
      }),
    get: operation('get'),
    post: operation('post'),
    put: operation('put'),
    patch: operation('patch'),
    delete: (path, spec, handle) => route('delete', 'delete', path, spec, handle),
    list: (path, { query, item, also, countsUpTo, ...spec }, handle) => {
      const count = z.int();
      const response = z.object({
        items: z.array(item),
        count:
          countsUpTo === undefined
            ? count.describe('Number of matching objects over all pages.')
            : count
                .optional()
                .describe(`Number of matching objects over all pages; absent above ${countsUpTo}.`),
        next: z.object({ page: z.string() }).optional().describe('Absent on the last page.'),
        ...also,
      });
      const method = spec.body ? 'post' : 'get';
      return route(
        'list',
        method,
        path,
        { ...spec, query: (query ?? z.object({})).extend(ListQuery.shape), response },
        handle,
      );
    },
    raw: (method, path, spec, handle) => route('raw', method, path, spec, handle),
  };
}

/**
 * A path whose parameters differ from the declared ones would fail on each request: it fails on start
 * instead.
 */
function checkedPath(parent: ScopeDefinition, path: string, params: ParamShape = {}): string {
  const named = [...path.matchAll(/[:*](\w+)/g)].map((match) => match[1] ?? '');
  const declared = Object.keys(params);
  if (new Set(named).symmetricDifference(new Set(declared)).size > 0) {
    throw new Error(
      `The path ${parent.path}${path} names the parameters [${named.join(', ')}], declared are [${declared.join(', ')}].`,
    );
  }
  return parent.path + path;
}
