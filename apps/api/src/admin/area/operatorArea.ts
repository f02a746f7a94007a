import { ApiError, errorStatus } from '@bindery/contract';
import { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { contextOf } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { html } from '../html.ts';
import { requireOperator } from '../requireOperator.ts';
import { sameOrigin } from '../sameOrigin.ts';
import { streamProgress } from './jobEvents.ts';
import type { Fields } from './jobFilter.ts';
import { jobPage } from './jobPage.ts';
import { jobsPage } from './jobsPage.ts';
import { kindsPage } from './kindsPage.ts';
import { areaPolicy, writePage, type AreaPage } from './layout.ts';
import { workersPage } from './workersPage.ts';

type Params = Record<string, string>;
type Show = (params: Params, query: Fields) => Promise<AreaPage>;
const areaPaths = ['jobs', 'kinds', 'workers'].map((name) => `/admin/${name}`);

/**
 * Mounts the operator's area beside the queue dashboard, with the same sign-in: pages that need no script,
 * and forms for actions. Each action is sent from its own page, by a POST of the same origin.
 */
export function mountOperatorArea(app: Express, platform: Platform): void {
  const { config } = platform;
  const admit = [areaPolicy, requireOperator(config), sameOrigin, noteRoute] as RequestHandler[];
  const get = (path: string, show: Show) => {
    app.get(path, ...admit, async (request: Request<Params>, response) => {
      const page = await show(request.params, fieldsOf(request.query));
      response
        .status(page.status ?? 200)
        .type('html')
        .send(writePage(page, request.path));
    });
  };
  get('/admin/jobs', async (_params, query) => jobsPage(query));
  app.get('/admin/jobs/:job/events', ...admit, async (request: Request<{ job: string }>, response) =>
    streamProgress(platform, request, response),
  );
  get('/admin/jobs/:job', async ({ job = '' }) => jobPage(job));
  get('/admin/kinds', kindsPage);
  get('/admin/workers', workersPage);
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
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 256) : undefined;
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
