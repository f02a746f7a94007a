import { randomBytes, randomUUID } from 'node:crypto';
import type { Logger } from '@bindery/runtime';
import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from './actor.ts';

/** What is known of a request from its first to its last moment. */
export class RequestContext {
  /**
   * The caller's `X-Request-Id` when it is sane, else one of ours; the response, errors and logs carry it.
   */
  readonly id: string;
  /** Template of the route, `/spaces/:spaceId`, once one was found. */
  route: string | undefined;
  /** Parameters of the path that passed their schema, the secret ones among them too. */
  ids: Record<string, unknown> | undefined;
  actor: Actor | undefined;
  /** Asked again and again by machines: its line is one for debugging. */
  isProbe = false;
  readonly #response: Response;
  #traceparent: string | undefined;
  #leaving: AbortController | undefined;

  constructor({ headers }: Request, response: Response) {
    const { 'x-request-id': givenId, traceparent } = headers;
    this.id = typeof givenId === 'string' && /^[\w.:/+=-]{1,100}$/.test(givenId) ? givenId : randomUUID();
    if (typeof traceparent === 'string' && isTraceparent(traceparent)) this.#traceparent = traceparent;
    this.#response = response;
  }

  // Getters of the class: an object with getters of its own, made for each request, has the garbage collector
  // stop for 20 ms under load.

  /**
   * W3C trace context: the caller's, or a new one, so that a job's lines can be found from the request that
   * started it.
   */
  get traceparent(): string {
    this.#traceparent ??= newTraceparent();
    return this.#traceparent;
  }

  /** The id of the trace, when there is one already. */
  get traceId(): string | undefined {
    return this.#traceparent?.slice(3, 35);
  }

  /** Aborted when the connection ends before the response does. */
  get signal(): AbortSignal {
    if (!this.#leaving) {
      const leaving = new AbortController();
      const response = this.#response;
      if (response.closed) leaving.abort();
      else response.once('close', () => response.writableFinished || leaving.abort());
      this.#leaving = leaving;
    }
    return this.#leaving.signal;
  }
}

/** The context of a request that passed `openRequest`. */
export function contextOf(request: Request): RequestContext {
  const context = (request as RequestWithContext)[contextKey];
  if (!context) throw new Error('This request did not pass openRequest.');
  return context;
}

/**
 * First of all handlers: makes the context, sets `X-Request-Id` and writes one line when the response is
 * done.
 */
export function openRequest(log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAtMs = performance.now();
    const context = new RequestContext(request, response);
    (request as RequestWithContext)[contextKey] = context;
    response.setHeader('X-Request-Id', context.id);
    // `close` comes after every response, finished or not.
    response.once('close', () => {
      log[context.isProbe ? 'debug' : 'info'](
        {
          requestId: context.id,
          traceId: context.traceId,
          method: request.method,
          // The template, never the URL: a query may hold a share key, a path anything.
          route: context.route,
          ids: context.ids && loggedIds(context.ids),
          status: response.headersSent ? response.statusCode : undefined,
          durationMs: Math.round((performance.now() - startedAtMs) * 10) / 10,
          user: context.actor?.user.id,
          token: context.actor?.tokenId,
          aborted: response.writableFinished ? undefined : true,
        },
        'request',
      );
    });
    next();
  };
}

const contextKey = Symbol('context');
type RequestWithContext = Request & { [contextKey]?: RequestContext };

/** Parameters whose value is enough to be let in: whoever reads the log shall not get a role from it. */
const secretIds = new Set(['inviteId']);

function loggedIds(ids: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(ids).filter(([name]) => !secretIds.has(name)));
}

/** Version 00, ids that are not all zeros. */
function isTraceparent(text: string): boolean {
  return /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
}

function newTraceparent(): string {
  const hex = randomBytes(24).toString('hex');
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-00`;
}
