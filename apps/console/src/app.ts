import type { IncomingMessage, RequestListener } from 'node:http';
import { httpRequests } from '@bindery/metrics';
import { isOwnOrigin, messageOf, networkOf } from '@bindery/runtime';
import proxyAddr from 'proxy-addr';
import { ApiFailure } from './api/apiFailure.ts';
import { findAsset } from './assets/assets.ts';
import { createProbes } from './health.ts';
import type { Answer } from './http/answer.ts';
import type { Outcome } from './http/outcome.ts';
import { policyWithFormulas, setHeaders } from './http/headers.ts';
import { matchRoute } from './http/matchRoute.ts';
import { withFields } from './http/readFields.ts';
import { sendAnswer } from './http/sendAnswer.ts';
import type { Guest, Route, Visit } from './http/route.ts';
import { refusal } from './layout/refusal.ts';
import { writePage } from './layout/page.ts';
import { createConsolePlatform, type ConsolePlatform } from './platform.ts';
import { routes } from './routes.ts';
import { sessionCookie } from './session/cookies.ts';
import { findOwnSession } from './session/findOwnSession.ts';

type Handled = { answer: Answer; route?: string };

/** The handler of all requests, for main.ts and for tests. */
export function createConsoleApp(
  parts: Pick<ConsolePlatform, 'config' | 'log' | 'stopping'>,
): RequestListener {
  const platform = createConsolePlatform(parts);
  const answerProbe = createProbes(platform.api);
  const trusts = proxyAddr.compile(platform.config.api.trustProxy);
  return (request, response) => {
    const startedAtMs = performance.now();
    let route: string | undefined;
    setHeaders(response, platform.config.console);
    response.once('close', () => {
      const durationMs = performance.now() - startedAtMs;
      const status = response.headersSent ? response.statusCode : 'aborted';
      const { method = 'GET' } = request;
      httpRequests.observe({ method, route: route ?? 'none', status: String(status) }, durationMs / 1_000);
      // The template, never the URL: a path may have the secret of a sign-in link.
      platform.log.info({ method, route, status, durationMs: Math.round(durationMs) }, 'request');
    });
    // A connection that was reset has no address, whatever the type says.
    const address = networkOf((proxyAddr(request, trusts) as string | undefined) ?? '');
    const left = new AbortController();
    response.once('close', () => left.abort());
    const signal = AbortSignal.any([left.signal, platform.stopping]);
    handle(request, { platform, answerProbe, address, signal })
      .catch((error: unknown): Handled => {
        platform.log.error({ err: error }, messageOf(error));
        return { answer: pageAnswer(refusal('broken'), { path: '' }) };
      })
      .then(async (handled) => {
        route = handled.route;
        await sendAnswer({ request, response, url: platform.config.console.url }, handled.answer);
      })
      .catch(() => response.destroy());
  };
}

type Handling = {
  platform: ConsolePlatform;
  answerProbe: (path: string) => Promise<Answer | undefined>;
  address: string;
  signal: AbortSignal;
};

async function handle(
  request: IncomingMessage,
  { platform, answerProbe, address, signal }: Handling,
): Promise<Handled> {
  const url = URL.parse(request.url ?? '/', platform.config.console.url);
  const { method = 'GET' } = request;
  if (!url) return { answer: pageAnswer(refusal('nothingHere'), { path: '' }) };
  const { pathname } = url;
  const isRead = method === 'GET' || method === 'HEAD';
  const fixed = isRead ? ((await answerProbe(pathname)) ?? findAsset(pathname)) : undefined;
  if (fixed) return { answer: fixed };
  const found = matchRoute(routes, { method, pathname });
  if (!found) return { answer: pageAnswer(refusal('nothingHere'), { path: '' }) };
  if ('allowed' in found || !(isRead || method === 'POST')) {
    const allowed = 'allowed' in found ? found.allowed.join(', ') : 'GET, HEAD, POST';
    return { answer: pageAnswer({ ...refusal('otherMethod'), headers: { Allow: allowed } }, { path: '' }) };
  }
  const guest: Guest = {
    platform,
    params: found.params,
    query: url.searchParams,
    url: pathname + url.search,
    address,
    userAgent: request.headers['user-agent'] ?? '',
    isFromElsewhere: /^(?:cross|same)-site$/.test(String(request.headers['sec-fetch-site'])),
    cookie: sessionCookie.secretIn(request.headers.cookie, platform.config.console),
    cookies: request.headers.cookie,
    lastEventId: request.headers['last-event-id']?.toString(),
    signal,
  };
  const answer = await answerRoute(request, { route: found.route, guest });
  return { answer, route: found.route.path };
}

async function answerRoute(
  request: IncomingMessage,
  { route, guest }: { route: Route; guest: Guest },
): Promise<Answer> {
  const isRead = route.method === 'get';
  // Before the cookie is looked up: a form of another site does nothing at all.
  if (!isRead && !isOwnOrigin(request.headers)) return pageAnswer(refusal('otherSite'), { path: guest.url });
  if (route.admits === 'everyone')
    return withFieldsOf(request, { route, guest }, async (fields) => {
      const outcome = await (route.method === 'get' ? route.show(guest) : route.act(guest, fields));
      return answerOf(outcome, { path: guest.url });
    });
  // Before the form is read: it may be a large one of somebody who has no session.
  const visit = await visitOf(guest);
  if (!visit) return signInFirst(guest, { isRead });
  return withFieldsOf(request, { route, guest }, async (fields) => answerUser(visit, { route, fields }));
}

/** Answers with the fields of a form, or with the reason why it has none. */
async function withFieldsOf(
  request: IncomingMessage,
  { route, guest }: { route: Route; guest: Guest },
  answer: (fields: URLSearchParams) => Promise<Answer>,
): Promise<Answer> {
  if (route.method === 'get') return answer(new URLSearchParams());
  const limits = route.admits === 'users' ? route : {};
  return withFields(request, limits, async (form) =>
    'fields' in form ? answer(form.fields) : pageAnswer(refusal(form.refused, limits), { path: guest.url }),
  );
}

async function answerUser(
  visit: Visit,
  { route, fields }: { route: Extract<Route, { admits: 'users' }>; fields: URLSearchParams },
): Promise<Answer> {
  const from = { path: visit.url, user: visit.session.user };
  try {
    const outcome = await (route.method === 'get' ? route.show(visit) : route.act(visit, fields));
    return answerOf(outcome, from);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // The session ended between the two look-ups.
    if (error.status === 401) return signInFirst(visit, { isRead: route.method === 'get' });
    return pageAnswer(refusal(error), from);
  }
}

async function visitOf(guest: Guest): Promise<Visit | undefined> {
  const session = await findOwnSession(guest);
  return session && { ...guest, session, api: guest.platform.api.as(session) };
}

/** Leads to the sign-in, and back to a page afterwards. A form is not sent again without being asked. */
function signInFirst({ url, cookie, platform }: Guest, { isRead }: { isRead: boolean }): Answer {
  const next = isRead && url !== '/' ? `?next=${encodeURIComponent(url)}` : '';
  const ended = cookie !== undefined && { 'Set-Cookie': sessionCookie.end(platform.config.console) };
  return redirectTo(`/sign-in${next}`, { ...ended });
}

function answerOf(outcome: Outcome, from: Parameters<typeof pageAnswer>[1]): Answer {
  if ('location' in outcome) return redirectTo(outcome.location, outcome.headers);
  return 'body' in outcome ? outcome : pageAnswer(outcome, from);
}

function pageAnswer(page: Parameters<typeof writePage>[0], from: Parameters<typeof writePage>[1]): Answer {
  const { status = 200, rendered } = page;
  const policy = rendered?.hasMath && { 'Content-Security-Policy': policyWithFormulas };
  const headers = { ...policy, ...page.headers };
  return { status, contentType: 'text/html; charset=utf-8', body: writePage(page, from), headers };
}

/** 303: the next request is a GET, also after a form. */
function redirectTo(location: string, headers: Record<string, string> = {}): Answer {
  return { status: 303, contentType: 'text/plain', body: '', headers: { ...headers, Location: location } };
}
