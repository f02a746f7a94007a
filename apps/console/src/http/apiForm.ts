import { html } from '@bindery/html';
import { ApiFailure } from '../api/apiFailure.ts';
import type { ApiReply, ApiRequest } from '../api/api.ts';
import type { Page } from '../layout/page.ts';
import { problem } from '../layout/problem.ts';
import type { Outcome } from './outcome.ts';
import type { Route, Visit } from './route.ts';

/** A form that sends one request to the API. */
export type ApiForm = {
  /** Where it is sent, as of a route. */
  path: string;
  /** The request, from the parameters of the path and the fields. */
  request: (params: Record<string, string>, fields: URLSearchParams) => ApiRequest;
  /** Fields for the command that the form shows, where nothing was typed. */
  example?: Record<string, string>;
  /** Names of fields whose typed values that command does not show. */
  secrets?: readonly string[];
};

/** A form that the API refused, with what was typed. */
export type Tried = { form: ApiForm; fields: URLSearchParams; failure: ApiFailure };

/**
 * The route of a form.
 *
 * @param next  the answer when the API accepted the request
 * @param again  the page of the form, which keeps what was typed below the refusal of the API
 */
export function formRoute<Body>(
  form: ApiForm,
  {
    next,
    again,
  }: {
    next: (visit: Visit, reply: ApiReply<Body>, fields: URLSearchParams) => Outcome | Promise<Outcome>;
    again: (visit: Visit, tried: Tried) => Promise<Page>;
  },
): Route {
  return {
    method: 'post',
    admits: 'users',
    path: form.path,
    act: async (visit, fields) => {
      try {
        const reply = await visit.api.send<Body>(form.request(visit.params, fields));
        return await next(visit, reply, fields);
      } catch (failure) {
        if (!(failure instanceof ApiFailure) || failure.status === 401) throw failure;
        const page = await again(visit, { form, fields, failure });
        // Above everything, because the page may not offer the form any more.
        return { ...page, main: html`${problem(failure)}${page.main}`, status: failure.status };
      }
    },
  };
}
