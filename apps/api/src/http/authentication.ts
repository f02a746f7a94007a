import { ApiError } from '@bindery/contract';
import { networkOf, slidingWindow } from '@bindery/runtime';
import type { Request } from 'express';
import type { Reader } from './actor.ts';

/** Returns the reader that a token belongs to; undefined when the token is unknown, revoked or expired. */
export type Authenticate = (token: string) => Promise<Reader | undefined>;

/**
 * Returns a function that identifies the caller of a request.
 *
 * Every refusal has the same text, so that it does not reveal whether a token ever existed. After 30 wrong
 * tokens in a minute from one address, further ones get 429; a valid token from that address still passes.
 */
export function authentication(authenticate: Authenticate): (request: Request) => Promise<Reader> {
  const wrongTokens = slidingWindow({ limit: 30, windowMs: 60_000, maxKeys: 10_000 });
  return async (request) => {
    const token = bearerToken(request);
    if (token === undefined) throw unauthorized();
    const reader = await authenticate(token);
    if (reader) return reader;
    const waitMs = wrongTokens(networkOf(request.ip ?? ''));
    if (waitMs === 0) throw unauthorized();
    throw new ApiError('rate_limited', 'Too many requests with an invalid token from this address.', {
      action: 'Wait, then use a valid token.',
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    });
  };
}

function bearerToken(request: Request): string | undefined {
  const { authorization } = request.headers;
  // With several headers, Node keeps the first one, but a proxy in front may have checked the last one.
  if (authorization === undefined || countHeader(request.rawHeaders, 'authorization') !== 1) return undefined;
  // Content tokens of site visitors are the longest: 8 KB of claims, signed and unsigned, in base64.
  return /^Bearer ([\w.~+/=-]{1,14336})$/.exec(authorization)?.[1];
}

function countHeader(rawHeaders: string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) count += 1;
  }
  return count;
}

/** The one error for requests without a valid token. */
export function unauthorized(): ApiError {
  return new ApiError(
    'unauthorized',
    'Requires a valid token in the header `Authorization: Bearer <token>`.',
    {
      headers: { 'WWW-Authenticate': 'Bearer' },
    },
  );
}
