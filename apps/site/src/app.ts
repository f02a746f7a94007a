import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '@bindery/contract';
import { messageOf } from '@bindery/runtime';
import { answerVisit } from './answerVisit.ts';
import { sendAnswer, sendRedirect } from './answer/sendAnswer.ts';
import { answerChallenge } from './hostnames/answerChallenge.ts';
import { findAsset } from './assets/assets.ts';
import { sendFont } from './fonts/sendFont.ts';
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
    handle(request, response, parts)
      .catch(async (error: unknown) => {
        // The path may have the secret of a share link or of a preview.
        platform.log.error({ err: error, host: request.headers.host }, messageOf(error));
        if (response.headersSent) response.destroy();
        else await fail(request, response, error);
      })
      .catch(() => response.destroy());
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
  if (url && (await answerProbe(url, response))) return;
  if (url && (await answerChallenge(url, response))) return;
  const asset = url && findAsset(url.pathname);
  if (asset) {
    await sendAnswer(request, response, { answer: asset, audience: 'for ever' });
    return;
  }
  if (url && (await sendFont(url.pathname, { request, response }))) return;
  const open = url && (await openVisit(request, { url, platform }));
  if (!open || 'refused' in open) {
    const answer = await showNothing(
      request,
      open ? { is: open.refused, status: 400 } : { is: 'nothingHere', status: 404 },
    );
    await sendAnswer(request, response, { answer, audience: 'one visitor' });
    return;
  }
  if ('location' in open) {
    sendRedirect(response, open);
    return;
  }
  // The path of a share link or a preview is a secret.
  if (!open.visit.admitted.key) response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin');
  const answer = await answerVisit({ request, response }, open, platform);
  if (!answer) return;
  if ('location' in answer) sendRedirect(response, answer);
  else {
    const audience = open.visitor.isAnybody ? 'everybody' : 'one visitor';
    await sendAnswer(request, response, { answer, audience });
  }
}

async function fail(request: IncomingMessage, response: ServerResponse, error: unknown): Promise<void> {
  const answer = await showNothing(request, { is: 'notNow', status: 503 });
  // Those of an answer that could not be sent, such as its type or a cookie.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  setHeaders(response);
  const soon = error instanceof ApiError ? error.headers?.['Retry-After'] : undefined;
  if (soon !== undefined) response.setHeader('Retry-After', soon);
  await sendAnswer(request, response, { answer, audience: 'one visitor' });
}

/** Sets the default headers: an answer runs no script and sends no Referer unless it sets its own. */
function setHeaders(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
}
