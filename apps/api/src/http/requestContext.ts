import { randomBytes, randomUUID } from 'node:crypto';
import { httpRequests } from '@bindery/metrics';
import type { Logger } from '@bindery/runtime';
import { startSpan, withinSpan, type Span } from '@bindery/tracing';
import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from './actor.ts';

/** Data about one request, from its start to its end. */
export class RequestContext {
  /**
   * The caller's `X-Request-Id` when it is well-formed, else a new id; the response, errors and logs contain
   * it.
   */
  readonly id: string;
  /** Template of the matched route, such as `/spaces/:spaceId`. */
  route: string | undefined;
  /** Path parameters that passed their schema, including secret ones. */
  ids: Record<string, unknown> | undefined;
  actor: Actor | undefined;
  /** The job that an earlier run of this request waited for, if it has not failed (`Reply.awaitsJob`). */
  earlierJob: string | undefined;
  /** A request that machines repeat all the time; logged at debug level. */
  isProbe = false;
  /** Whether the caller prefers the job to its result: `Prefer: respond-async` (RFC 7240). */
  readonly prefersAsync: boolean;
  readonly #response: Response;
  #traceparent: string | undefined;
  /** The span of the request, while the process sends traces. */
  readonly span: Span | undefined;
  #leaving: AbortController | undefined;

  constructor({ headers, method }: Request, response: Response) {
    const { 'x-request-id': givenId, traceparent, prefer } = headers;
    this.id = typeof givenId === 'string' && /^[\w.:/+=-]{1,100}$/.test(givenId) ? givenId : randomUUID();
    const parent = typeof traceparent === 'string' && isTraceparent(traceparent) ? traceparent : undefined;
    this.span = startSpan(method, { kind: 'server', parent });
    this.#traceparent = this.span?.traceparent ?? parent;
    this.prefersAsync = preferencesIn(prefer).includes('respond-async');
    this.#response = response;
  }

  // Getters of the class: with getters on each object, one per request, the garbage collector pauses for 20
  // ms under load.

  /**
   * W3C trace context: the caller's, or a new one. With it, the log lines of a job can be found from the
   * request that started it.
   */
  get traceparent(): string {
    this.#traceparent ??= newTraceparent();
    return this.#traceparent;
  }

  /** The id of the trace, if one exists already. */
  get traceId(): string | undefined {
    return this.#traceparent?.slice(3, 35);
  }

  /** Aborts when the connection ends before the response does. */
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

/** The context of a request that `openRequest` has processed. */
export function contextOf(request: Request): RequestContext {
  const context = (request as RequestWithContext)[contextKey];
  if (!context) throw new Error('This request did not pass openRequest.');
  return context;
}

/**
 * The first handler: creates the context, sets `X-Request-Id`, and logs one line when the response is done.
 */
export function openRequest(log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAtMs = performance.now();
    const context = new RequestContext(request, response);
    (request as RequestWithContext)[contextKey] = context;
    response.setHeader('X-Request-Id', context.id);
    // `close` comes after every response, finished or not.
    response.once('close', () => {
      const durationMs = performance.now() - startedAtMs;
      const status = response.headersSent ? response.statusCode : undefined;
      httpRequests.observe(
        { method: request.method, route: context.route ?? 'none', status: String(status ?? 'aborted') },
        durationMs / 1_000,
      );
      endSpan(context, request.method, status);
      log[context.isProbe ? 'debug' : 'info'](
        {
          requestId: context.id,
          traceId: context.traceId,
          method: request.method,
          // The template, never the URL: a query may contain a share key, and a path any text.
          route: context.route,
          ids: context.ids && loggedIds(context.ids),
          status,
          durationMs: Math.round(durationMs * 10) / 10,
          user: context.actor?.user.id,
          token: context.actor?.tokenId,
          aborted: response.writableFinished ? undefined : true,
        },
        'request',
      );
    });
    withinSpan(context.span, next);
  };
}

/** Ends the span of a request. That of a probe is not ended, and so not sent. */
function endSpan(
  { span, isProbe, id, route }: RequestContext,
  method: string,
  status: number | undefined,
): void {
  if (!span || isProbe) return;
  span.setName(route === undefined ? method : `${method} ${route}`);
  span.set({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'bindery.request_id': id,
  });
  span.end({ error: failureOf(status) });
}

function failureOf(status: number | undefined): string | undefined {
  if (status === undefined) return 'aborted';
  return status >= 500 ? `${status}` : undefined;
}

const contextKey = Symbol('context');
type RequestWithContext = Request & { [contextKey]?: RequestContext };

/** Parameters that grant access by their value alone: the log must not give its readers a role. */
const secretIds = new Set(['inviteId']);

function loggedIds(ids: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(ids).filter(([name]) => !secretIds.has(name)));
}

/** The names of the preferences in the header `Prefer`, without their parameters. */
function preferencesIn(header: string | string[] | undefined): string[] {
  const lists = [header ?? []].flat().flatMap((list) => list.split(','));
  return lists.map((preference) => (preference.split(/[;=]/, 1)[0] ?? '').trim().toLowerCase());
}

/** Accepts version 00 with ids that are not all zeros. */
function isTraceparent(text: string): boolean {
  return /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
}

function newTraceparent(): string {
  const hex = randomBytes(24).toString('hex');
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-00`;
}
