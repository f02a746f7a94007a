import { ApiError } from '@bindery/contract';
import type { RequestHandler } from 'express';

/**
 * Refuses writes that another site makes a browser send. SameSite=Strict already keeps the cookie from such
 * requests; this is a second defence.
 */
export const sameOrigin: RequestHandler = (request, _response, next) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && !isOwn(request.headers))
    throw new ApiError('forbidden', 'The request was sent from another site.');
  next();
};

function isOwn({ 'sec-fetch-site': site, origin, host }: Parameters<RequestHandler>[0]['headers']): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Browsers without `Sec-Fetch-Site` still send `Origin`; clients that are not browsers send neither.
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
