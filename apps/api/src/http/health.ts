import type { Express } from 'express';
import { contextOf } from './requestContext.ts';

/** One part that the process needs: throws when it is not usable. It may return a note, for a part that works with less. */
export type ReadyCheck = () => Promise<string | void>;

/**
 * `/healthz`: the process answers. `/readyz`: all checks pass, else 503; each is named as `ok`, `failed` or `timeout`, without the reason, which
 * may hold an address. Neither needs a token; what many callers ask at once is checked once.
 */
export function mountHealth(app: Express, { checks, timeoutMs = 2_000 }: { checks: Record<string, ReadyCheck>; timeoutMs?: number }): void {
  let running: Promise<[string, string][]> | undefined;
  app.get(['/healthz', '/readyz'], (request, _response, next) => {
    contextOf(request).isProbe = true;
    next();
  });
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    running ??= Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => [name, await outcome(check, timeoutMs)]),
    ).finally(() => {
      running = undefined;
    });
    const outcomes = await running;
    const isReady = outcomes.every(([, text]) => text !== 'failed' && text !== 'timeout');
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready', checks: Object.fromEntries(outcomes) });
  });
}

async function outcome(check: ReadyCheck, timeoutMs: number): Promise<string> {
  const { promise: timeout, resolve: endTimeout } = Promise.withResolvers<string>();
  const timer = setTimeout(() => endTimeout('timeout'), timeoutMs);
  const checked = check().then(
    (note) => note ?? 'ok',
    () => 'failed',
  );
  const text = await Promise.race([checked, timeout]);
  clearTimeout(timer);
  return text;
}
