import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { messageOf } from '@bindery/runtime';
import { answerVisit } from './answerVisit.ts';
import { sendAnswer, sendRedirect } from './answer/sendAnswer.ts';
import { findAsset } from './assets/assets.ts';
import { showNothing } from './page/showMessage.ts';
import { createProbes, type AnswerProbe } from './health.ts';
import { createUrlReader, type ReadUrl } from './requestUrl.ts';
import type { SitePlatform } from './sitePlatform.ts';
import { openVisit } from './visit/openVisit.ts';

/** The handler of all requests, for main.ts and for tests. */
export function createSiteApp(platform: SitePlatform): RequestListener {
  const parts = {
    platform,
    readUrl: createUrlReader(platform.config.api),
    answerProbe: createProbes(platform),
  };
  return (request, response) => {
    setHeaders(response);
    void handle(request, response, parts).catch(async (error: unknown) => {
      // The path may have the secret of a share link or of a preview.
      platform.log.error({ err: error, host: request.headers.host }, messageOf(error));
      if (response.headersSent) response.destroy();
      else await fail(request, response);
    });
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { platform, readUrl, answerProbe }: { platform: SitePlatform; readUrl: ReadUrl; answerProbe: AnswerProbe },
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD', 'Content-Length': 0 }).end();
    return;
  }
  const url = readUrl(request);
  if (url && (await answerProbe(url.pathname, response))) return;
  const asset = url && findAsset(url.pathname);
  if (asset) {
    sendAnswer(request, response, { answer: asset, audience: 'for ever' });
    return;
  }
  const open = url && (await openVisit(request, { url, platform }));
  if (!open) {
    const answer = await showNothing(request, { is: 'nothingHere', status: 404 });
    sendAnswer(request, response, { answer, audience: 'one visitor' });
    return;
  }
  if ('location' in open) {
    sendRedirect(response, open);
    return;
  }
  const answer = await answerVisit({ request, response }, open, platform);
  if (!answer) return;
  if ('location' in answer) sendRedirect(response, answer);
  else {
    const audience = open.visitor.isAnybody ? 'everybody' : 'one visitor';
    sendAnswer(request, response, { answer, audience });
  }
}

async function fail(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await showNothing(request, { is: 'notNow', status: 503 });
  response.setHeader('Retry-After', '60');
  sendAnswer(request, response, { answer, audience: 'one visitor' });
}

function setHeaders(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
}
