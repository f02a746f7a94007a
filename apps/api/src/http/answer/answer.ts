import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { JsonStream, sendParts } from './jsonStream.ts';
import { isKnown } from './reply.ts';

/** The answer of an operation. There is no body when `body` is undefined; it may be a `JsonStream`. */
export type Answer = { status: number; headers: Record<string, string>; body: unknown; version?: number };

/** How clients may cache an answer: `withEtag` by its entity tag, `forAll` also in shared caches. */
export type Keeping = { withEtag?: boolean | undefined; forAll?: boolean | undefined };

/**
 * Sends an answer. With `withEtag`, the tag is a hash of the body, and a caller that has the same body gets
 * 304.
 */
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
  if (body instanceof JsonStream) {
    response.setHeader('Cache-Control', cacheControl(response, { forAll }));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.statusCode = status;
    if (request.method === 'HEAD') response.end();
    else void sendParts(response, body);
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
  // Node sets the length by itself, except for answers to HEAD.
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
 * A cache may keep an answer with a tag but must revalidate it before each use, so that nobody sees content
 * that they may no longer read. An answer to a token may be kept in private caches only.
 */
function cacheControl(response: Response, { forAll }: Keeping): string {
  if (!response.hasHeader('ETag')) return 'no-store';
  return forAll ? 'public, no-cache' : 'private, no-cache';
}
