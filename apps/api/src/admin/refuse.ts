import { ApiError, errorStatus } from '@bindery/contract';
import type { Request, RequestHandler, Response } from 'express';
import { errorBody } from '../http/answer/errorHandler.ts';
import { contextOf } from '../http/requestContext.ts';

/**
 * Refuses a dashboard request with the common error body plus `details`, the text that the dashboard shows.
 */
export function refuse(request: Request, response: Response, error: ApiError): void {
  for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value);
  response.status(errorStatus[error.code]).type('json');
  response.end(JSON.stringify({ ...errorBody(error, contextOf(request).id), details: error.message }));
}

/** Rewrites the dashboard's own refusals, which have another shape, to the common error body. */
export const commonRefusals: RequestHandler = (request, response, next) => {
  const answer = response.json.bind(response);
  response.json = (body) => {
    if (response.statusCode < 400) return answer(body);
    refuse(request, response, refusalOf(response.statusCode));
    return response;
  };
  next();
};

function refusalOf(status: number): ApiError {
  if (status === 404)
    return new ApiError('not_found', 'No such queue or job.', { action: 'Load the page again.' });
  if (status === 405) return new ApiError('method_not_allowed', 'The dashboard is read-only.');
  if (status < 500) return new ApiError('invalid_request', 'The dashboard does not support this operation.');
  return new ApiError('internal', 'The dashboard failed.', {
    action: 'Try again; if the error persists, check the log of the API.',
  });
}
