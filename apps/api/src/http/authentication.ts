import { ApiError } from '@bindery/contract';
import type { Request } from 'express';
import type { Reader } from './actor.ts';
import { networkOf } from './network.ts';
import { slidingWindow } from './rate-limit/slidingWindow.ts';

/** Whose token this is, or undefined when it is unknown, revoked or expired. */
export type Authenticate = (token: string) => Promise<Reader | undefined>;

/**
 * Finds out who makes a request.
 *
 * Every refusal has the same text, so that nobody learns whether a token once existed. More than 30 wrong
 * tokens a minute from one address get 429; a good token from the same address still passes.
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
  // Of several headers Node keeps the first one, a proxy before us may have looked at the last.
  if (authorization === undefined || countHeader(request.rawHeaders, 'authorization') !== 1) return undefined;
  // The longest are the content tokens of a site's visitors: 8 KB of claims, signed and unsigned ones, in
  // base64.
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

/** The one refusal of requests without a valid token. */
export function unauthorized(): ApiError {
  return new ApiError(
    'unauthorized',
    'Requires a valid token in the header `Authorization: Bearer <token>`.',
    {
      headers: { 'WWW-Authenticate': 'Bearer' },
    },
  );
}
