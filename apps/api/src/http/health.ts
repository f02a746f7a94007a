import { createReadiness, type ReadyCheck } from '@bindery/runtime';
import type { Express } from 'express';
import { contextOf } from './requestContext.ts';

type Options = {
  checks: Record<string, ReadyCheck>;
  /**
   * State of each worker app: `ok`, or a sentence that is shown publicly. A missing worker does not stop the
   * API.
   */
  workers?: () => Promise<Record<string, string>>;
  timeoutMs?: number;
};

/**
 * Mounts the health probes, which need no token. `/healthz`: the process responds. `/readyz`: all checks
 * pass, else 503. A worker that is down makes it `degraded` but keeps 200, because switching to another API
 * process would not help.
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
