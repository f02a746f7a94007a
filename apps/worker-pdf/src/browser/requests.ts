import { percentDecoded } from '@bindery/dialect/links';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { bookUrl, type Chunk } from './browser.ts';

/** Only the style sheet of the chunk, and its images and fonts; nothing may lead out of the page. */
const policy = [
  "default-src 'none'",
  `img-src data: ${new URL(bookUrl).origin}`,
  "style-src 'unsafe-inline'",
  `font-src data: ${new URL(bookUrl).origin}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Requests of a page that were refused. */
export type Refusals = {
  count: number;
  /** Whether the page, or a frame in it, tried to go elsewhere. */
  hasTriedToLeave: boolean;
};

/** Answers the page's requests from the chunk alone, and refuses all others. */
export function answerRequests(page: Page, { html, files }: Chunk): Refusals {
  const refusals: Refusals = { count: 0, hasTriedToLeave: false };
  let isServed = false;
  page.on('request', (request) => {
    const answer = find(request);
    // An answer fails when its page has been closed.
    if (answer) return void request.respond(answer).catch(() => {});
    refusals.count += 1;
    refusals.hasTriedToLeave ||= request.isNavigationRequest();
    void request.abort('blockedbyclient').catch(() => {});
  });
  return refusals;

  function find(request: HTTPRequest) {
    if (request.isNavigationRequest()) {
      if (isServed || request.url() !== bookUrl || request.frame() !== page.mainFrame()) return undefined;
      isServed = true;
      return {
        status: 200,
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' },
        body: html,
      };
    }
    const url = request.url();
    const path = url.startsWith(bookUrl) ? url.slice(bookUrl.length).split(/[?#]/, 1)[0] : undefined;
    const file = files?.get(percentDecoded(path ?? '') ?? '');
    return (
      file && {
        status: 200,
        contentType: file.type,
        headers: { 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' },
        body: file.bytes,
      }
    );
  }
}
