import { ListQuery, type TokenScope } from '@bindery/contract';
import type { ClientSession } from '@bindery/models';
import type { Visitor } from '@bindery/publishing';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Platform } from '../platform.ts';
import type { Actor, Reader } from './actor.ts';
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

/** Root scope of routes that visitors of a site may call too; `reader` is either a user or a visitor. */
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
 * A part of the URL tree: loads the objects that its URL names, once, and computes the caller's permissions
 * on them.
 *
 * `Ctx` is the context that handlers get, `P` the permissions that routes may require; a nested scope adds to
 * those of its parents. `load` throws `notFound` for objects that are absent or invisible. It must come
 * before `permissions` in a definition, or type inference fails. Paths have the form `/a/:id`; a last segment
 * `*rest` matches any number of segments, including none.
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
     * Reads the present version of the loaded object, which `If-Match` is compared with on every method that
     * may write. Without it, the version of the nearest parent applies; `none` where that version does not
     * cover the changes made here.
     */
    version?: ((at: Merge<Ctx, Add> & ParamsOf<S>) => PresentVersion) | 'none';
  }): Scope<Merge<Ctx, Add> & ParamsOf<S>, P | P2>;
  get: Operation<Ctx, P>;
  post: Operation<Ctx, P>;
  put: Operation<Ctx, P>;
  patch: Operation<Ctx, P>;
  /**
   * Answers 204, even if the object itself (the last id of the path) does not exist; a missing parent is
   * still 404.
   */
  delete<S extends ParamShape = NoParams>(
    path: string,
    spec: CommonSpec<P> & { params?: S; requires?: Requirement<Ctx, P> },
    handle: (input: Ctx & ParamsOf<S> & Always<P>) => Promise<void>,
  ): Route;
  /**
   * Adds `page` and `limit` to the query, as `query.after` and `query.limit`, and wraps the items in the
   * envelope, which `also` extends by fields. A list with a `body` is a POST, and its page tokens are valid
   * for that body only. Set `countsUpTo` on lists that may be very long: more items are not counted, and with
   * 0 none are.
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
   * A stream, a redirect, a download or server-sent events: the handler writes the response itself. A body is
   * read only with a schema.
   */
  raw<
    Q extends z.ZodObject = NoFields,
    B extends z.ZodType = z.ZodUndefined,
    S extends ParamShape = NoParams,
  >(
    method: Method,
    path: string,
    spec: CommonSpec<P> &
      BodySpec & {
        params?: S;
        query?: Q;
        body?: B;
        answers: readonly RawAnswer[];
        /** The media type of a file that the handler reads. */
        accepts?: string;
        /** Refuses `If-Match`: no version of an object in the path says what the request changes. */
        version?: 'none';
        requires?: Requirement<Ctx, P>;
      },
    handle: (
      input: Ctx & ParamsOf<S> & Always<P> & { query: z.output<Q>; body: z.output<B> },
      request: Request,
      response: Response,
    ) => Promise<void>,
  ): Route;
}

interface Operation<Ctx extends object, P extends string> {
  <
    R extends z.ZodType = z.ZodVoid,
    Q extends z.ZodObject = NoFields,
    B extends z.ZodType = z.ZodUndefined,
    S extends ParamShape = NoParams,
    A extends z.ZodType = z.ZodNever,
  >(
    path: string,
    spec: CommonSpec<P> &
      BodySpec & {
        params?: S;
        query?: Q;
        body?: B;
        response?: R;
        /** The body of 202, for `Prefer: respond-async`; the handler calls `reply.accepted`. */
        accepted?: A;
        /** Default: 200, or 204 without a `response`. */
        status?: 200 | 201 | 204;
        /**
         * Sets an `ETag` computed from the body, and answers a matching `If-None-Match` with 304. A handler
         * with a better tag calls `reply.etag`.
         */
        etag?: true;
        /** Honours `Idempotency-Key`. */
        idempotent?: true;
        /** The response has `X-Job-Id` and `Link`; the handler must call `reply.startedJob`. */
        startsJob?: true;
        /**
         * Reads the version that `If-Match` is compared with, where the path names an object that no scope
         * loads.
         */
        version?: ((input: Ctx & ParamsOf<S>) => PresentVersion) | 'none';
        requires?: Requirement<Ctx, P>;
      },
    handle: (
      input: Ctx & ParamsOf<S> & Always<P> & { query: z.output<Q>; body: z.output<B> },
    ) => Promise<z.input<R> | z.input<A>>,
  ): Route;
}

/**
 * Checks, before the body is read, the rights that `permission` does not cover; throws forbidden, or
 * not_found for an object that the caller cannot view. It reads only what the scopes have loaded, so that
 * docs/permissions.md can show its result. Rights that depend on the body are left to the handler.
 */
type Requirement<Ctx extends object, P extends string> = (input: Ctx & Always<P>) => void;

/**
 * Input of every handler, besides the objects that its scopes loaded. `can` has the caller's permissions
 * here, for checks that depend on the body.
 */
export type Always<P extends string> = {
  platform: Platform;
  request: RequestContext;
  reply: Reply;
  can: Record<P, boolean>;
};

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type RawAnswer = {
  status: number;
  description: string;
  contentType?: string | readonly string[];
  /** Of JSON. */
  schema?: z.ZodType;
};

export type CommonSpec<P extends string> = {
  operationId: string;
  summary: string;
  description?: string;
  /** Chapters of the reference page; by default the name of the scope. */
  tags?: readonly string[];
  deprecated?: true;
  /** The replacement of a deprecated operation: a path of the API whose parameters this operation has too. */
  successor?: string;
  permission: P;
  /**
   * The token scope that the operation requires, where it does not follow from permission and method
   * (`scopeOf`).
   */
  tokenScope?: TokenScope | 'user';
  /** The operation may answer 307; describes when, and the target of `Location`. */
  redirect?: string;
  /** Further response headers, each with its description. */
  headers?: Record<string, string>;
};

export type BodySpec = {
  /** Instead of 1 MB, `large` allows 10 MB, for content and instructions, and `specification` 48 MB. */
  bodySize?: 'normal' | 'large' | 'specification';
};

/** One operation, for the router, the OpenAPI document and the tests. */
export type Route = {
  readonly kind: 'operation' | 'delete' | 'list' | 'raw';
  readonly method: Method;
  /** Path below the root of the API, such as `/spaces/:spaceId/comments`. */
  readonly path: string;
  /**
   * Whether the last id of the path belongs to the route's own scope: if it is absent, the object itself is.
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
    accepted?: z.ZodType;
    status?: number;
    etag?: true;
    idempotent?: true;
    startsJob?: true;
    version?: ((at: Input) => PresentVersion) | 'none';
    requires?: (input: Input) => void;
    answers?: readonly RawAnswer[];
    accepts?: string;
  };

/**
 * `users` have a token; `readers` are users and the visitors of a site; `everyone` includes callers without a
 * token.
 */
export type Admission = 'users' | 'readers' | 'everyone';

/** A scope without its types. */
export type ScopeStep = {
  readonly params: ParamShape;
  readonly load: (at: Input) => Promise<object>;
  readonly permissions: (at: Input) => Record<string, boolean>;
  readonly version?: ((at: Input) => PresentVersion) | 'none';
};

/**
 * Reads the version of an object in the transaction that writes; undefined when the object does not exist.
 */
export type PresentVersion = (session: ClientSession | undefined) => Promise<number | undefined>;

/** Input of scopes and handlers, without its types. */
export type Input = Always<string> & {
  params: Record<string, unknown>;
  query?: unknown;
  body?: unknown;
  /** SHA-256 of a large body. */
  bodyDigest?: string | undefined;
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
  // The only casts of this layer: the types of routes and scopes end here, and the code that runs them sees
  // plain values.
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
      const response = z.object({
        items: z.array(item),
        ...countField(countsUpTo),
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
 * Fails on start when the parameters of a path differ from the declared ones, because each request would
 * fail.
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

function countField(countsUpTo: number | undefined) {
  const counted = 'Number of matching objects over all pages';
  if (countsUpTo === 0) return {};
  return {
    count:
      countsUpTo === undefined
        ? z.int().describe(`${counted}.`)
        : z.int().optional().describe(`${counted}; absent above ${countsUpTo}.`),
  };
}
