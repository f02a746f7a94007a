import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '@bindery/contract';
import { messageOf } from '@bindery/runtime';
import { answerVisit } from './answerVisit.ts';
import { answerOf } from './answer/answer.ts';
import { sendAnswer, sendRedirect } from './answer/sendAnswer.ts';
import { answerChallenge } from './hostnames/answerChallenge.ts';
import { findAsset } from './assets/assets.ts';
import { feedbackPath } from './feedback/feedbackForm.ts';
import {
  createFeedbackReader,
  type GivenFeedback,
  type ReadFeedback,
  type RefusedForm,
} from './feedback/readFeedback.ts';
import { takeFeedback } from './feedback/takeFeedback.ts';
import { sendFont } from './fonts/sendFont.ts';
import { showNothing } from './page/showMessage.ts';
import { createProbes, type AnswerProbe } from './health.ts';
import { createAddressReader, createUrlReader, type ReadAddress, type ReadUrl } from './requestUrl.ts';
import type { SitePlatform } from './sitePlatform.ts';
import { openVisit } from './visit/openVisit.ts';

type Parts = {
  platform: SitePlatform;
  readUrl: ReadUrl;
  readAddress: ReadAddress;
  readFeedback: ReadFeedback;
  answerProbe: AnswerProbe;
};

/** The handler of all requests, for main.ts and for tests. */
export function createSiteApp(platform: SitePlatform): RequestListener {
  const parts: Parts = {
    platform,
    readUrl: createUrlReader(platform.config.api),
    readAddress: createAddressReader(platform.config.api),
    readFeedback: createFeedbackReader(),
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

type Exchange = { request: IncomingMessage; response: ServerResponse };

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const url = parts.readUrl(request);
  const takesForm = url?.pathname.endsWith(`/${feedbackPath}`) ?? false;
  const methods = ['GET', 'HEAD', ...(takesForm ? ['POST'] : [])];
  if (!methods.includes(request.method ?? '')) {
    response.writeHead(405, { Allow: methods.join(', '), 'Content-Length': 0 }).end();
    return;
  }
  if (url && request.method === 'POST') {
    // Before the visit is looked up: a form of another site does nothing at all.
    const form = await parts.readFeedback(request, { url, address: parts.readAddress(request) });
    if ('refused' in form) await refuseForm(request, response, form.refused);
    else await sendVisit({ request, response }, { url, form }, parts);
    return;
  }
  if (url && (await sendFixed({ request, response }, url, parts))) return;
  await sendVisit({ request, response }, { url }, parts);
}

/** Sends what is the same for all sites. @returns false when there is nothing like that at the URL */
async function sendFixed(
  { request, response }: Exchange,
  url: URL,
  { answerProbe }: Pick<Parts, 'answerProbe'>,
): Promise<boolean> {
  if (await answerProbe(url, response)) return true;
  if (await answerChallenge(url, response)) return true;
  const asset = findAsset(url.pathname);
  if (!asset) return sendFont(url.pathname, { request, response });
  await sendAnswer(request, response, { answer: asset, audience: 'for ever' });
  return true;
}

/** Sends what a visitor asked for, or counts the form that it filled in. */
async function sendVisit(
  { request, response }: Exchange,
  { url, form }: { url: URL | undefined; form?: GivenFeedback },
  { platform }: Pick<Parts, 'platform'>,
): Promise<void> {
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
    // Browsers follow no form to another origin, such as that of a sign-in page.
    if (form) await refuseForm(request, response, visitEnded);
    else sendRedirect(response, open);
    return;
  }
  // The path of a share link or a preview is a secret, but the site itself has to know its own forms.
  const referrer = open.visit.admitted.key ? 'same-origin' : 'strict-origin-when-cross-origin';
  response.setHeader('Referrer-Policy', referrer);
  const answer = form
    ? await takeFeedback(form, open)
    : await answerVisit({ request, response }, open, platform);
  if (!answer) return;
  if ('location' in answer) sendRedirect(response, answer);
  else {
    const audience = open.visitor.isAnybody && !form ? 'everybody' : 'one visitor';
    await sendAnswer(request, response, { answer, audience });
  }
}

const visitEnded: RefusedForm = {
  status: 403,
  message: 'Your visit has ended: open the page again, and answer there.',
};

/** Refuses a form, whose rest is not read. */
async function refuseForm(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, waitMs }: RefusedForm,
): Promise<void> {
  response.setHeader('Connection', 'close');
  if (waitMs !== undefined) response.setHeader('Retry-After', Math.ceil(waitMs / 1_000));
  const answer = answerOf(`${message}\n`, { contentType: 'text/plain; charset=utf-8', status });
  await sendAnswer(request, response, { answer, audience: 'one visitor' });
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
