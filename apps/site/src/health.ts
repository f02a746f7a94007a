import type { ServerResponse } from 'node:http';
import { pingMongo } from '@bindery/models';
import { createReadiness, noteUnless } from '@bindery/runtime';
import type { SitePlatform } from './sitePlatform.ts';

/** Answers a health probe; false for another path. */
export type AnswerProbe = (path: string, response: ServerResponse) => Promise<boolean>;

/**
 * Makes the answers to health probes, which have paths that no page has. `/~/healthz`: the process responds.
 * `/~/readyz`: it can serve pages, else 503.
 */
export function createProbes({ config, blobs }: Pick<SitePlatform, 'config' | 'blobs'>): AnswerProbe {
  const readiness = createReadiness({
    mongodb: () => pingMongo(2_000),
    ...(config.storage.s3 && { s3: noteUnless(async () => blobs.ping(), 'unreachable: files are missing') }),
  });
  return async (path, response) => {
    if (path === '/~/healthz') send(response, 200, { status: 'ok' });
    else if (path === '/~/readyz') {
      const body = await readiness();
      send(response, body.status === 'not ready' ? 503 : 200, body);
    } else return false;
    return true;
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));
}
