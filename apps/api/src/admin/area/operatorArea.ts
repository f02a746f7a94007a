import { ApiError, errorStatus } from '@bindery/contract';
import { html } from '@bindery/html';
import type { Logger } from '@bindery/runtime';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { contextOf } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { operatorOf } from '../operatorSession.ts';
import { requireOperator } from '../requireOperator.ts';
import { sameOrigin } from '../sameOrigin.ts';
import {
  askJobAction,
  askKindAction,
  beginReplay,
  doJobAction,
  doKindAction,
  prepareReplay,
  type Acting,
  type JobAction,
  type KindAction,
} from './actions.ts';
import { actionsPage } from './actionsPage.ts';
import { streamProgress } from './jobEvents.ts';
import type { Fields } from './jobFilter.ts';
import { askRestore, deletedSpacesPage, doRestore } from './deletedSpacesPage.ts';
import { hostnamesPage } from './hostnamesPage.ts';
import { jobPage } from './jobPage.ts';
import { jobsPage } from './jobsPage.ts';
import { kindsPage } from './kindsPage.ts';
import { areaPolicy, writePage, type AreaPage } from './layout.ts';
import { doClearLimit, doSetLimit, limitsPage } from './limitsPage.ts';
import { replayPage, replaysPage } from './replaysPage.ts';
import { askEndSessions, doEndSessions, sessionsPage } from './sessionsPage.ts';
import { storagePage } from './storagePage.ts';
import { webhooksPage } from './webhooksPage.ts';
import { workersPage } from './workersPage.ts';

/** Longer than a hostname with the id of an organization, which is a place in a list. */
const longestField = 512;

type Params = Record<string, string>;
type Show = (params: Params, query: Fields) => Promise<AreaPage>;
/** @returns the path to show next */
type Act = (params: Params, fields: Fields, acting: Acting) => Promise<string>;

const areaPaths = [
  'jobs',
  'kinds',
  'replays',
  'workers',
  'storage',
  'webhooks',
  'hostnames',
  'spaces',
  'sessions',
  'actions',
].map((name) => `/admin/${name}`);
const jobActions: readonly JobAction[] = ['cancel', 'retry'];
const kindActions: readonly KindAction[] = ['pause', 'resume'];

/**
 * Mounts the operator's area beside the queue dashboard, with the same sign-in: pages that need no script,
 * and forms for actions. Each action is sent from its own page, by a POST of the same origin.
 */
export function mountOperatorArea(app: Express, platform: Platform, { log }: { log: Logger }): void {
  const { config, blobs } = platform;
  const admit = [areaPolicy, requireOperator(config), sameOrigin, noteRoute] as RequestHandler[];
  const form = express.urlencoded({ extended: false, limit: '4kb' });
  const get = (path: string, show: Show) => {
    app.get(path, ...admit, async (request: Request<Params>, response) => {
      const page = await show(request.params, fieldsOf(request.query));
      response
        .status(page.status ?? 200)
        .type('html')
        .send(writePage(page, request.path));
    });
  };
  const post = (path: string, act: Act) => {
    app.post(path, ...admit, form, async (request: Request<Params>, response) => {
      const acting = { operator: operatorOf(response), logger: log };
      response.redirect(303, await act(request.params, fieldsOf(request.body), acting));
    });
  };

  get('/admin/jobs', async (_params, query) => jobsPage(query));
  app.get('/admin/jobs/:job/events', ...admit, async (request: Request<{ job: string }>, response) =>
    streamProgress(platform, request, response),
  );
  for (const action of jobActions) {
    get(`/admin/jobs/:job/${action}`, async ({ job = '' }) => askJobAction(action, job));
    post(`/admin/jobs/:job/${action}`, async ({ job = '' }, _fields, acting) =>
      doJobAction(action, job, acting),
    );
  }
  get('/admin/jobs/:job', async ({ job = '' }) => jobPage(job, config.tracing));
  get('/admin/kinds', kindsPage);
  for (const action of kindActions) {
    get(`/admin/kinds/:kind/${action}`, async ({ kind = '' }) => askKindAction(action, kind));
    post(`/admin/kinds/:kind/${action}`, async ({ kind = '' }, _fields, acting) =>
      doKindAction(action, kind, acting),
    );
  }
  get('/admin/kinds/:kind/limits', async ({ kind = '' }) => limitsPage(kind));
  post('/admin/kinds/:kind/limits', async ({ kind = '' }, fields, acting) =>
    doSetLimit(kind, fields, acting),
  );
  post('/admin/kinds/:kind/limits/clear', async ({ kind = '' }, fields, acting) =>
    doClearLimit(kind, fields, acting),
  );
  get('/admin/replays', replaysPage);
  post('/admin/replays', async (_params, fields, acting) => prepareReplay(fields, acting));
  get('/admin/replays/:replay', async ({ replay = '' }) => replayPage(replay));
  post('/admin/replays/:replay/start', async ({ replay = '' }, _fields, acting) =>
    beginReplay(replay, acting),
  );
  get('/admin/workers', workersPage);
  get('/admin/storage', async () => storagePage(blobs, config));
  get('/admin/webhooks', webhooksPage);
  get('/admin/hostnames', async (_params, query) => hostnamesPage(query));
  get('/admin/spaces', async (_params, query) => deletedSpacesPage(query));
  get('/admin/spaces/:space/restore', async ({ space = '' }) => askRestore(space));
  post('/admin/spaces/:space/restore', async ({ space = '' }, _fields, acting) => doRestore(space, acting));
  get('/admin/sessions', async (_params, query) => sessionsPage(query));
  get('/admin/sessions/:user/end', async ({ user = '' }) => askEndSessions(user));
  post('/admin/sessions/:user/end', async ({ user = '' }, _fields, acting) => doEndSessions(user, acting));
  get('/admin/actions', actionsPage);
  app.use(areaPaths, refusalPage);
}

/** The template of the path, for the log. */
const noteRoute: RequestHandler = (request, _response, next) => {
  contextOf(request).route = (request.route as { path: string }).path;
  next();
};

/** Reads fields that are given once; empty ones count as absent. */
function fieldsOf(given: unknown): Fields {
  const values = (given ?? {}) as Record<string, unknown>;
  return (name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longestField) : undefined;
  };
}

/** Shows the refusals of this area as pages; other errors are left to the handler of all requests. */
const refusalPage: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (!(error instanceof ApiError) || response.headersSent) {
    next(error);
    return;
  }
  const status = errorStatus[error.code];
  const page = {
    title: 'This did not work',
    main: html`<p class="note problem" role="alert">${error.message} ${error.action}</p>`,
  };
  response
    .status(status)
    .type('html')
    .send(writePage(page, new URL(request.originalUrl, 'http://x').pathname));
};
