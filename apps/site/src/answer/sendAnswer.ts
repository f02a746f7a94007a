import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodingFor } from '@bindery/runtime';
import type { Answer, Redirect } from './answer.ts';

/**
 * Whether everybody gets the same answer: then caches on the way may keep it, and ask whether it is current;
 * otherwise nobody may. `for ever`: its path has the hash of its content.
 */
export type Audience = 'everybody' | 'one visitor' | 'for ever';

/** The header `Cache-Control` of each audience. */
export const cacheControl: Readonly<Record<Audience, string>> = {
  everybody: 'public, max-age=0, must-revalidate',
  'one visitor': 'private, no-store',
  'for ever': 'public, max-age=31536000, immutable',
};

/** A page that was fetched because a reader pointed at its link is shown without another request. */
const prefetched = 'private, max-age=10';

/** When a client asks again that could not be answered now. */
const retrySeconds = '60';

/** Sends an answer in the encoding that the client accepts, or 304 when the client has it. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, audience }: { answer: Answer; audience: Audience },
): Promise<void> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  // Each encoding has bytes of its own, so it has a tag of its own.
  const etag = `"${answer.etag}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  const isPrefetched = audience === 'everybody' && isPrefetch(request);
  response.setHeader('Cache-Control', isPrefetched ? prefetched : cacheControl[audience]);
  if (answer.status === 503 && !response.hasHeader('Retry-After'))
    response.setHeader('Retry-After', retrySeconds);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('ETag', etag);
  // Also with 304: browsers put its headers in place of those that they kept.
  if (answer.policy !== undefined) response.setHeader('Content-Security-Policy', answer.policy);
  if (answer.status === 200 && isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end();
    return;
  }
  const bytes = await answer.bytesIn(encoding);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.writeHead(answer.status, {
    'Content-Type': answer.contentType,
    'Content-Length': bytes.length,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

export function sendRedirect(response: ServerResponse, { status, location, cookie }: Redirect): void {
  response.setHeader('Cache-Control', 'private, no-store');
  if (cookie !== undefined) response.setHeader('Set-Cookie', cookie);
  response.writeHead(status, { Location: location, 'Content-Length': 0 }).end();
}

function isPrefetch({ headers }: IncomingMessage): boolean {
  return String(headers['sec-purpose'] ?? '').startsWith('prefetch');
}

/** Whether a client has the answer with this tag, by its header `If-None-Match`. */
export function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}
