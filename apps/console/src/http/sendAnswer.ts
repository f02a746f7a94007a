import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { encodedText, encodingFor, type Encoding } from '@bindery/runtime';
import { isSecure } from '../session/cookies.ts';
import type { Answer } from './answer.ts';

/** Of a shorter text, compression saves no packet. */
const minBytes = 1_000;

/**
 * Sends an answer, compressed when the browser accepts that.
 *
 * Pages have secrets, such as the addresses of share links, and repeat parameters of their URL. Whoever leads
 * a browser to such pages and sees the length of each encrypted answer could guess a secret letter by letter,
 * because a right guess compresses better (BREACH). So a page is compressed over TLS only when the browser
 * says that the console itself or the user asked for it. There are no tokens of forms to be guessed: the
 * console refuses forms by their origin.
 *
 * @param url  the origin of the console
 */
export async function sendAnswer(
  { request, response, url }: { request: IncomingMessage; response: ServerResponse; url: string },
  { status, contentType, body, headers }: Answer,
): Promise<void> {
  response.setHeader('Content-Type', contentType);
  if (body instanceof Readable) {
    response.writeHead(status, headers);
    // An error is a reader or the API that left; the log of requests tells it.
    pipeline(body, response, () => {});
    return;
  }
  const isPage = typeof body === 'string';
  const mayCompress = !isPage || !isSecure(url) || isOwnRequest(request);
  const accepted = mayCompress ? encodingFor(request.headers['accept-encoding']) : 'identity';
  const { bytes, encoding } = await bytesOf(isPage ? encodedText(body) : body, accepted);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Content-Length', bytes.length);
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Whether no other site led the browser here. Browsers send the header over TLS and to this machine. */
function isOwnRequest({ headers: { 'sec-fetch-site': site } }: IncomingMessage): boolean {
  return site === 'same-origin' || site === 'none';
}

async function bytesOf(
  body: Exclude<Answer['body'], string | Readable>,
  accepted: Encoding,
): Promise<{ bytes: Uint8Array; encoding: Encoding }> {
  if (body instanceof Uint8Array) return { bytes: body, encoding: 'identity' };
  const encoding = body.plain.length < minBytes ? 'identity' : accepted;
  return { bytes: await body.bytesIn(encoding), encoding };
}
