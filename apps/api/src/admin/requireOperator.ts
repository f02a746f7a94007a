import { ApiError } from '@bindery/contract';
import type { Config } from '@bindery/runtime';
import type { RequestHandler } from 'express';
import { findOperator } from './operatorSession.ts';
import { refuse } from './refuse.ts';

/** Admits operators who have signed in; `operatorOf` has their id. Others are sent to the sign-in form. */
export function requireOperator(config: Config): RequestHandler {
  return async (request, response, next) => {
    const operator = await findOperator(config.secrets, request.headers.cookie);
    if (operator !== undefined) {
      response.locals['operator'] = operator;
      next();
    } else if (request.path.startsWith('/api/')) refuse(request, response, notSignedIn());
    else response.redirect(303, '/admin/sign-in');
  };
}

function notSignedIn(): ApiError {
  return new ApiError('unauthorized', 'The session in the dashboard has ended.', {
    action: 'Sign in again at /admin/sign-in.',
  });
}
