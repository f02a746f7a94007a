import { ApiError } from '@bindery/contract';
import type { RequestHandler } from 'express';

/**
 * Refuses whatever another site lets a browser send here. SameSite=Strict keeps the cookie from such
 * requests; this is the second lock.
 */
export const sameOrigin: RequestHandler = (request, _response, next) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && !isOwn(request.headers))
    throw new ApiError('forbidden', 'The request was sent from another site.');
  next();
};

function isOwn({ 'sec-fetch-site': site, origin, host }: Parameters<RequestHandler>[0]['headers']): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Browsers that do not say where a request comes from still send the origin; no browser at all sends
  // neither.
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
