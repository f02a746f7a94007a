import { forbidden } from '@bindery/contract';
import type { Request, Response } from 'express';
import { sendAnswer, sendNotModified, type Answer } from './answer/answer.ts';
import { requireScope } from '../permissions/tokenScope.ts';
import { authentication } from './authentication.ts';
import { deprecationHeaders } from './answer/deprecation.ts';
import { enterScopes, isAbsentOwnObject } from './enterScopes.ts';
import { runOnce } from './idempotency.ts';
import { writePageToken, type Page } from './answer/paging.ts';
import { pageBinding, readInput } from './input/readInput.ts';
import { onCondition } from './precondition.ts';
import { NotModified, Redirected, ReplyHeaders } from './answer/reply.ts';
import { contextOf, type RequestContext } from './requestContext.ts';
import type { Input, Route } from './scope.ts';
import type { Services } from './services.ts';

/**
 * Handles a request from the matched URL to its handler, in the order of the contract: 401, 404 of a parent,
 * 404 of the object itself (DELETE: 204), 403, and only then the body (415, 413, 400) and the handler.
 */
export function pipeline(
  services: Services,
): (route: Route) => (request: Request, response: Response) => Promise<void> {
  const authenticated = authentication(services.authenticate);
  /**
   * @throws forbidden to a visitor on routes for users only, before the path is examined, so that the answer
   *   reveals nothing
   */
  const identify = async (
    route: Route,
    request: Request,
    context: RequestContext,
  ): Promise<Partial<Input>> => {
    const reader = await authenticated(request);
    context.actor = reader.actor;
    if (route.admits === 'readers')
      return { reader, ...(reader.actor ? { actor: reader.actor } : { visitor: reader.visitor }) };
    if (!reader.actor) throw forbidden('user');
    return { actor: reader.actor };
  };
  return (route) => async (request, response) => {
    const context = contextOf(request);
    const reply = new ReplyHeaders(request, services.publicUrl);
    const { platform } = services;
    const can = { [route.admits === 'everyone' ? 'public' : 'token']: true };
    const input: Input = { platform, request: context, reply, params: {}, can };
    context.route = route.path;
    context.ids = input.params;
    for (const [name, value] of deprecationHeaders(route, request, services)) response.setHeader(name, value);
    const admit = async ({ actor, visitor }: Partial<Input>) => {
      const setHeader = (name: string, value: string) => void response.setHeader(name, value);
      await services.admit?.({ route, actor, visitor, address: request.ip ?? '', setHeader });
    };
    try {
      if (route.admits !== 'everyone') Object.assign(input, await identify(route, request, context));
    } catch (error) {
      // Unauthenticated requests are rate-limited too, by IP address.
      await admit({});
      throw error;
    }
    await admit(input);
    if (route.admits !== 'everyone') response.setHeader('Vary', 'Authorization');

    if (!(await enterScopes(route, input, request))) return sendAnswer(request, response, absent);
    if (input.actor && route.admits !== 'everyone') requireScope(route, input.actor);
    if (!input.can[route.spec.permission]) throw forbidden(route.spec.permission);
    route.spec.requires?.(input);
    await readInput(route, input, { request, secrets: services.secrets });
    try {
      if (route.kind === 'raw') {
        await onCondition({ route, input, request }, () => route.handle(input, request, response));
        return;
      }
      const awaitedJob = () => reply.awaitedJob;
      const answer = await runOnce({ services, route, input, request, awaitedJob }, async (earlierJob) => {
        context.earlierJob = earlierJob;
        const handle = () => callHandler(route, input, { request, response });
        // The condition held when the job was accepted, and its result may have changed the object.
        const result = await (earlierJob === undefined
          ? onCondition({ route, input, request }, handle)
          : handle());
        const answer = answerOf(route, input, { result, reply, services });
        return reply.recordVersion === undefined ? answer : { ...answer, version: reply.recordVersion };
      });
      if (route.method !== 'get' && route.kind !== 'list') services.afterWrite?.(organizationOf(input));
      services.onAnswer?.(route, answer);
      sendAnswer(request, response, answer, { withEtag: route.spec.etag, forAll: input.visitor?.isAnybody });
    } catch (error) {
      if (error instanceof Redirected)
        return sendAnswer(request, response, { status: 307, headers: reply.headers, body: undefined });
      if (!(error instanceof NotModified)) throw error;
      sendNotModified(response, reply.headers, { forAll: input.visitor?.isAnybody });
    }
  };
}

/** The organization of the path, once a scope has loaded it. */
function organizationOf(input: Input & { organization?: { _id: string } }): string | undefined {
  return input.organization?._id;
}

/** The answer of a DELETE whose object does not exist. */
const absent: Answer = { status: 204, headers: {}, body: undefined };

async function callHandler(
  route: Route,
  input: Input,
  { request, response }: { request: Request; response: Response },
): Promise<unknown> {
  try {
    return await route.handle(input, request, response);
  } catch (error) {
    // Another DELETE was faster.
    if (isAbsentOwnObject(route, error)) return undefined;
    throw error;
  }
}

type Outcome = { result: unknown; reply: ReplyHeaders; services: Services };

function answerOf(route: Route, input: Input, { result, reply, services }: Outcome): Answer {
  const { spec, kind } = route;
  const { headers } = reply;
  if (kind !== 'list')
    return {
      status: reply.status ?? spec.status ?? (spec.response ? 200 : 204),
      headers,
      body: spec.response ? result : undefined,
    };
  const { next, ...page } = result as Page<unknown>;
  const body = next
    ? { ...page, next: { page: writePageToken(services.secrets, pageBinding(route, input), next) } }
    : page;
  return { status: 200, headers, body };
}
