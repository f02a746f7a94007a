import { ApiError, errorStatus, JobError, type ErrorBody } from '@bindery/contract';
import type { Logger } from '@bindery/runtime';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { isOutage } from '../outage.ts';
import { contextOf } from '../requestContext.ts';

/** Answers 404 for unknown paths; mounted after all routes. */
export const unknownRoute: RequestHandler = () => {
  throw new ApiError('not_found', 'There is no such path here.', {
    action: 'Compare it with the operations in /openapi.json.',
  });
};

/** The only place that turns an error into a response. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { id } = contextOf(request);
    const refusal = refusalOf(error, id);
    const status = errorStatus[refusal.code];
    // A client that disconnects before the answer aborts the work in progress; that is not an error of the
    // server.
    const isCallerGone = response.destroyed && error instanceof Error && error.name === 'AbortError';
    // `unavailable` thrown on purpose is an expected answer, such as for an object that is not ready.
    const isMeant = error instanceof ApiError && error.code === 'unavailable';
    if (status >= 500 && !isCallerGone && !isMeant)
      log.error(
        { err: error, requestId: id, status },
        status === 503 ? 'a store cannot be reached' : 'a request failed unexpectedly',
      );
    if (response.headersSent) {
      // A response that has begun cannot become an error; cutting the connection marks it as incomplete.
      response.destroy();
      return;
    }
    // Headers that the handler set for its own answer do not belong to the error.
    for (const name of [
      'ETag',
      'Content-Disposition',
      'Content-Length',
      'Content-Encoding',
      'X-Job-Id',
      'Link',
    ])
      response.removeHeader(name);
    for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.statusCode = status;
    response.end(JSON.stringify(errorBody(refusal, id)));
  };
}

/** The error body of the API for an error. */
export function errorBody({ code, message, action, details }: ApiError, requestId: string): ErrorBody {
  return { error: { code: errorStatus[code], type: code, message, requestId, action, details } };
}

function refusalOf(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof JobError) return refusalOfJobError(error);
  if (isOutage(error)) {
    return new ApiError('unavailable', 'A required store cannot be reached right now.', {
      action: 'Try again in a few seconds.',
      headers: { 'Retry-After': '5' },
    });
  }
  // Thrown by Express when part of the path is not valid percent-encoding; such a path names nothing.
  if (error instanceof URIError)
    return new ApiError('not_found', 'The path is not valid percent-encoded text.');
  // Errors of Express itself, such as a file that sendFile does not find.
  const { status } = error instanceof Error ? (error as { status?: unknown }) : {};
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ApiError(
      status === 404 ? 'not_found' : 'invalid_request',
      status === 404 ? 'There is nothing here.' : 'The request is not valid.',
      { cause: error },
    );
  }
  return new ApiError(
    'internal',
    `Internal error; the log of the server contains it with the request id ${requestId}.`,
    {
      action: 'Try again; if the error persists, give the operator this request id.',
    },
  );
}

/**
 * Errors from input checks, such as the URL check: permanent ones are the caller's fault, the others may be
 * temporary.
 */
function refusalOfJobError(error: JobError): ApiError {
  const { message, action, cause } = error;
  if (error.class === 'invalid' || error.class === 'auth' || error.class === 'not_found') {
    return new ApiError('invalid_request', message, { action, cause });
  }
  const retryAfterSeconds = Math.ceil((error.retryAfterMs ?? 5_000) / 1000);
  return new ApiError('unavailable', message, {
    action,
    headers: { 'Retry-After': String(retryAfterSeconds) },
    cause,
  });
}
