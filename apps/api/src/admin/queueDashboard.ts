import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { isSignatureValid, signText, type Config } from '@bindery/runtime';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Actor } from '../http/actor.ts';
import { signInPage } from './signInPage.ts';

const basePath = '/admin/queues';
const cookieName = 'bindery_operator';
const sessionHours = 12;
const purpose = 'operator-session';

type Options = {
  queues: () => ConstructorParameters<typeof BullMQAdapter>[0][];
  config: Config;
  authenticate: (token: string) => Promise<Actor | undefined>;
};

/**
 * The queues as BullMQ sees them, for operators: read-only unless configured, because MongoDB and not the queue is the record of a job.
 * Signing in takes an operator's API token once and sets a signed cookie.
 */
export function mountQueueDashboard(app: Express, { queues, config, authenticate }: Options): void {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(basePath);
  createBullBoard({
    serverAdapter: adapter,
    queues: queues().map((queue) => new BullMQAdapter(queue, { readOnlyMode: !config.api.isQueueDashboardWritable, allowRetries: false })),
    options: { uiConfig: { boardTitle: 'Bindery queues' } },
  });
  const form = express.urlencoded({ extended: false, limit: '4kb' });
  app.get('/admin/sign-in', pagePolicy, (_request, response) => void response.type('html').send(signInPage()));
  app.post('/admin/sign-in', pagePolicy, sameOrigin, form, async (request, response) => signIn(request, response, { config, authenticate }));
  app.use(basePath, dashboardPolicy, requireOperator(config), sameOrigin, adapter.getRouter() as RequestHandler);
}

async function signIn(request: Request, response: Response, { config, authenticate }: Pick<Options, 'config' | 'authenticate'>): Promise<void> {
  const { token } = (request.body ?? {}) as { token?: unknown };
  const actor = typeof token === 'string' ? await authenticate(token.trim()) : undefined;
  if (!actor?.user.isOperator) {
    // The same for a wrong token and for one of somebody who is no operator.
    response.status(403).type('html').send(signInPage('This token does not open the dashboard. It takes a token of an operator.'));
    return;
  }
  const session = `${actor.user.id}.${Date.now() + sessionHours * 3_600_000}`;
  response.cookie(cookieName, `${session}.${signText(config.secrets, purpose, session)}`, {
    httpOnly: true,
    sameSite: 'strict',
    secure: config.api.publicUrl.startsWith('https:'),
    maxAge: sessionHours * 3_600_000,
    path: '/admin',
  });
  response.redirect(303, basePath);
}

function requireOperator(config: Config): RequestHandler {
  return (request, response, next) => {
    if (isSignedIn(config, request.headers.cookie ?? '')) next();
    else response.redirect(303, '/admin/sign-in');
  };
}

function isSignedIn(config: Config, cookies: string): boolean {
  const value = cookies
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1);
  const [user, until, signature] = decodeURIComponent(value ?? '').split('.');
  if (!user || !until || !signature || Number(until) < Date.now()) return false;
  return isSignatureValid(config.secrets, purpose, `${user}.${until}`, signature);
}

/** SameSite=Strict keeps the cookie from other sites; this also refuses a form of theirs. */
const sameOrigin: RequestHandler = (request, response, next) => {
  const site = request.headers['sec-fetch-site'];
  if (request.method === 'GET' || request.method === 'HEAD' || site === undefined || site === 'same-origin' || site === 'none') next();
  else response.status(403).end();
};

const pagePolicy: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
  response.set('Cache-Control', 'no-store');
  next();
};

/** The dashboard has inline scripts and styles of its own; it may talk to nobody else. */
const dashboardPolicy: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'self'; frame-ancestors 'none'");
  response.set('Cache-Control', 'no-store');
  next();
};
