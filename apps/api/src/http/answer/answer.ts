import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { isKnown } from './reply.ts';

/** What an operation answers; no body at all when `body` is undefined. */
export type Answer = { status: number; headers: Record<string, string>; body: unknown; version?: number };

/** How an answer may be kept: `withEtag` under a tag; `forAll` also by caches that serve several callers. */
export type Keeping = { withEtag?: boolean | undefined; forAll?: boolean | undefined };

/** Sends an answer; with `withEtag` under a hash of its bytes, or as 304 when the caller has them. */
export function sendAnswer(
  request: Request,
  response: Response,
  { status, headers, body, version }: Answer,
  { withEtag, forAll }: Keeping = {},
): void {
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
      sendNotModified(response, headers, { forAll });
      return;
    }
  }
  response.setHeader('Cache-Control', cacheControl(response, { forAll }));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  // Node adds the length by itself, but not to the answer of a HEAD.
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.statusCode = status;
  response.end(text);
}

export function sendNotModified(response: Response, headers: Record<string, string>, keeping: Keeping): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.setHeader('Cache-Control', cacheControl(response, keeping));
  response.writeHead(304).end();
}

/**
 * What has a tag may be kept, but the keeper asks before it shows it again: so nobody is shown what they may
 * not read any more. What a token saw belongs to that token.
 */
function cacheControl(response: Response, { forAll }: Keeping): string {
  if (!response.hasHeader('ETag')) return 'no-store';
  return forAll ? 'public, no-cache' : 'private, no-cache';
}
