import { ApiError, errorStatus } from '@bindery/contract';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { QueueAdapterOptions } from '@bull-board/api/typings/app';
import { jobOfQueueEntry } from '@bindery/jobs';
import { ExpressAdapter } from '@bull-board/express';
import { slidingWindow, type Config } from '@bindery/runtime';
import express, { type Express, type RequestHandler } from 'express';
import type { Actor } from '../http/actor.ts';
import { areaPolicy } from './area/layout.ts';
import { cookieOptions, endSessions, findOperator, sessionCookie, startSession } from './operatorSession.ts';
import { commonRefusals } from './refuse.ts';
import { requireOperator } from './requireOperator.ts';
import { retryFromDashboard } from './retryFromDashboard.ts';
import { sameOrigin } from './sameOrigin.ts';
import { signInPage, signOutPage } from './signInPage.ts';

const basePath = '/admin/queues';
/** The page that an operator sees first. */
const homePath = '/admin/jobs';

type Options = {
  queues: () => ConstructorParameters<typeof BullMQAdapter>[0][];
  config: Config;
  authenticate: (token: string) => Promise<Actor | undefined>;
};

/**
 * Mounts the BullMQ dashboard for operators. It is read-only unless configured otherwise, because the record
 * of a job is in MongoDB, not in the queue. An operator signs in once with an API token and gets a signed
 * cookie.
 */
export function mountQueueDashboard(app: Express, { queues, config, authenticate }: Options): void {
  const { isQueueDashboardWritable: isWritable, publicUrl } = config.api;
  const form = express.urlencoded({ extended: false, limit: '4kb' });
  app.get('/admin', (_request, response) => response.redirect(303, homePath));
  app.get(
    '/admin/sign-in',
    areaPolicy,
    (_request, response) => void response.type('html').send(signInPage()),
  );
  app.post('/admin/sign-in', areaPolicy, sameOrigin, form, signIn({ config, authenticate }));
  app.get(
    '/admin/sign-out',
    areaPolicy,
    (_request, response) => void response.type('html').send(signOutPage()),
  );
  app.post('/admin/sign-out', sameOrigin, async (request, response) => {
    const operator = await findOperator(config.secrets, request.headers.cookie);
    if (operator !== undefined) await endSessions(operator);
    response
      .clearCookie(sessionCookie, { ...cookieOptions(publicUrl), maxAge: undefined })
      .redirect(303, '/admin/sign-in');
  });
  app.use(
    basePath,
    dashboardPolicy,
    requireOperator(config),
    sameOrigin,
    commonRefusals,
    retryFromDashboard({ isWritable }),
    board(queues(), isWritable),
  );
}

function board(queues: ReturnType<Options['queues']>, isWritable: boolean): RequestHandler {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(basePath);
  createBullBoard({
    serverAdapter: adapter,
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: !isWritable, externalJobUrl })),
    options: {
      uiConfig: {
        boardTitle: 'Bindery queues',
        hideDocsLink: true,
        miscLinks: [
          { text: 'Jobs', url: '/admin/jobs' },
          { text: 'Workers', url: '/admin/workers' },
          { text: 'API reference', url: '/docs' },
          { text: 'Sign out', url: '/admin/sign-out' },
        ],
      },
    },
  });
  // The dashboard is an Express app of its own, which would send `X-Powered-By`.
  const router = adapter.getRouter() as Express;
  router.disable('x-powered-by');
  return router;
}

/** Leads from an entry of a queue to the page of its job. */
const externalJobUrl: QueueAdapterOptions['externalJobUrl'] = ({ id }) => ({
  displayText: 'Job in Bindery',
  href: `/admin/jobs/${jobOfQueueEntry(String(id)) ?? ''}`,
});

function signIn({ config, authenticate }: Pick<Options, 'config' | 'authenticate'>): RequestHandler {
  const wrongTokens = slidingWindow({ limit: 30, windowMs: 60_000, maxKeys: 10_000 });
  return async (request, response) => {
    const { token } = (request.body ?? {}) as { token?: unknown };
    const actor = typeof token === 'string' ? await authenticate(token.trim()) : undefined;
    if (actor?.user.isOperator) {
      response
        .cookie(sessionCookie, startSession(config.secrets, actor), cookieOptions(config.api.publicUrl))
        .redirect(303, homePath);
      return;
    }
    const waitMs = wrongTokens(request.ip ?? '');
    const headers: Record<string, string> =
      waitMs > 0 ? { 'Retry-After': String(Math.ceil(waitMs / 1000)) } : {};
    // One text for a wrong token and for the token of a user who is not an operator.
    const problem =
      waitMs > 0
        ? 'Too many wrong tokens came from this address. Wait a minute.'
        : 'This token does not open the dashboard. Use the token of an operator.';
    const refusal = new ApiError(waitMs > 0 ? 'rate_limited' : 'forbidden', problem, { headers });
    // Browsers get the sign-in form again, other clients the common error body.
    if (!request.headers.accept?.includes('text/html')) throw refusal;
    response.status(errorStatus[refusal.code]).set(headers).type('html').send(signInPage(problem));
  };
}

/** Allows the dashboard's inline styles, and connections to this origin only. */
const dashboardPolicy: RequestHandler = (_request, response, next) => {
  response.set(
    'Content-Security-Policy',
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  );
  response.set('Cache-Control', 'no-store');
  next();
};
