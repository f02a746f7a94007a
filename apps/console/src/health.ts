import { pingMongo } from '@bindery/models';
import { createReadiness, noteUnless } from '@bindery/runtime';
import type { Api } from './api/api.ts';
import type { Answer } from './http/answer.ts';

/**
 * Makes the answers to health probes. `/healthz`: the process responds. `/readyz`: it can show pages, else
 * 503; without the API, it still says so to people.
 */
export function createProbes(api: Pick<Api, 'ping'>): (path: string) => Promise<Answer | undefined> {
  const readiness = createReadiness({
    mongodb: () => pingMongo(2_000),
    api: noteUnless(async () => api.ping(), 'unreachable: people can sign in, and see nothing'),
  });
  return async (path) => {
    if (path === '/healthz') return json(200, { status: 'ok' });
    if (path !== '/readyz') return undefined;
    const body = await readiness();
    return json(body.status === 'not ready' ? 503 : 200, body);
  };
}

function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
