import { ApiError } from '@bindery/contract';
import { isOwnOrigin } from '@bindery/runtime';
import type { RequestHandler } from 'express';

/** Refuses writes that another site makes a browser send. */
export const sameOrigin: RequestHandler = (request, _response, next) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && !isOwnOrigin(request.headers))
    throw new ApiError('forbidden', 'The request was sent from another site.');
  next();
};
