import { createReadiness, type ReadyCheck } from '@bindery/runtime';
import type { Express } from 'express';
import { contextOf } from './requestContext.ts';

type Options = {
  checks: Record<string, ReadyCheck>;
  /** How each worker app is: `ok`, or a sentence for everybody. Requests are answered without workers too. */
  workers?: () => Promise<Record<string, string>>;
  timeoutMs?: number;
};

/**
 * `/healthz`: the process answers. `/readyz`: all checks pass, else 503. A worker that does not run makes it
 * `degraded` and keeps the 200: what it does not do, another API process could not do either. Neither needs a
 * token.
 */
export function mountHealth(app: Express, { checks, ...options }: Options): void {
  const readiness = createReadiness(checks, options);
  app.get(['/healthz', '/readyz'], (request, _response, next) => {
    contextOf(request).isProbe = true;
    next();
  });
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const body = await readiness();
    response.status(body.status === 'not ready' ? 503 : 200).json(body);
  });
}
