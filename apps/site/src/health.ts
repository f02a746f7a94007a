import type { ServerResponse } from 'node:http';
import { normalizeHostname } from '@bindery/contract';
import { pingMongo, Site } from '@bindery/models';
import { createReadiness, noteUnless } from '@bindery/runtime';
import type { SitePlatform } from './sitePlatform.ts';

/** Answers a probe of the machinery around the process; false for another path. */
export type AnswerProbe = (url: URL, response: ServerResponse) => Promise<boolean>;

/**
 * Makes the answers to probes, which have paths that no page has. `/~/healthz`: the process responds.
 * `/~/readyz`: it can serve pages, else 503. `/~/hostname?domain=HOST`: a site has this custom hostname, else
 * 404; proxies ask it before they get a certificate.
 */
export function createProbes({ config, blobs }: Pick<SitePlatform, 'config' | 'blobs'>): AnswerProbe {
  const readiness = createReadiness({
    mongodb: () => pingMongo(2_000),
    ...(config.storage.s3 && { s3: noteUnless(async () => blobs.ping(), 'unreachable: files are missing') }),
  });
  return async ({ pathname: path, searchParams }, response) => {
    if (path === '/~/healthz') send(response, 200, { status: 'ok' });
    else if (path === '/~/readyz') {
      const body = await readiness();
      send(response, body.status === 'not ready' ? 503 : 200, body);
    } else if (path === '/~/hostname') {
      const hostname = normalizeHostname(searchParams.get('domain') ?? '');
      const isKnown = hostname !== '' && (await Site.exists({ hostname })) !== null;
      send(response, isKnown ? 200 : 404, { hostname, known: isKnown });
    } else return false;
    return true;
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));
}
