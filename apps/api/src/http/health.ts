import { createReadiness, type ReadyCheck } from '@bindery/runtime';
import type { Express } from 'express';
import { contextOf } from './requestContext.ts';

/** `/healthz`: the process answers. `/readyz`: all checks pass, else 503. Neither needs a token. */
export function mountHealth(app: Express, { checks, timeoutMs }: { checks: Record<string, ReadyCheck>; timeoutMs?: number }): void {
  const readiness = createReadiness(checks, { ...(timeoutMs !== undefined && { timeoutMs }) });
  app.get(['/healthz', '/readyz'], (request, _response, next) => {
    contextOf(request).isProbe = true;
    next();
  });
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const { isReady, ...body } = await readiness();
    response.status(isReady ? 200 : 503).json(body);
  });
}
