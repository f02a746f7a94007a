import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { isKnown } from './reply.ts';

/** What an operation answers; no body at all when `body` is undefined. */
export type Answer = { status: number; headers: Record<string, string>; body: unknown; version?: number };

/** Sends an answer; with `withEtag` under a hash of its bytes, or as 304 when the caller has them. */
export function sendAnswer(request: Request, response: Response, { status, headers, body, version }: Answer, withEtag = false): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  if (body === undefined) {
    response.setHeader('Cache-Control', 'no-store');
    response.writeHead(status).end();
    return;
  }
  const text = JSON.stringify(body);
  if (withEtag && !response.hasHeader('ETag')) {
    const tag = `${version === undefined ? '' : `${version}.`}${hash('sha256', text, 'base64url')}`;
    response.setHeader('ETag', `"${tag}"`);
    if (isKnown(request, tag)) {
      sendNotModified(response, headers);
      return;
    }
  }
  response.setHeader('Cache-Control', cacheControl(response));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  // Node adds the length by itself, but not to the answer of a HEAD.
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.statusCode = status;
  response.end(text);
}

export function sendNotModified(response: Response, headers: Record<string, string>): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.setHeader('Cache-Control', cacheControl(response));
  response.writeHead(304).end();
}

/** What a token saw belongs to that token: a browser may keep what has a tag, but asks before it shows it again. */
function cacheControl(response: Response): string {
  return response.hasHeader('ETag') ? 'private, no-cache' : 'no-store';
}
