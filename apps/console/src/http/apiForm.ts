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
  /** The request, from the parameters of the path and the fields; it gets the field `etag` as `If-Match`. */
  request: (params: Record<string, string>, fields: URLSearchParams) => ApiRequest;
  /** Fields for the command that the form shows, where nothing was typed. */
  example?: Record<string, string>;
  /** Names of fields whose typed values that command does not show. */
  secrets?: readonly string[];
  /** The text of a box that has to be ticked, for a request that takes something away. */
  confirm?: string;
  /** The longest form, for one with long texts; default 100 kB. */
  maxBytes?: number;
  /** The longest form with a file, in bytes; without it, the form has none. */
  fileBytes?: number;
};

/** A form that the API refused, with what was typed. */
export type Tried = { form: ApiForm; fields: URLSearchParams; failure: ApiFailure };

type Ways<Body> = {
  /** Runs before the request, such as an upload; may add fields. @returns the parameters for the request */
  before?: (visit: Visit, fields: URLSearchParams) => Promise<Record<string, string>>;
  /** The answer when the API accepted the request. */
  next: (visit: Visit, reply: ApiReply<Body>, fields: URLSearchParams) => Outcome | Promise<Outcome>;
  /** The page of the form, which keeps what was typed below the refusal of the API. */
  again: (visit: Visit, tried: Tried) => Promise<Page>;
};

/** The route of a form. */
export function formRoute<Body>(form: ApiForm, ways: Ways<Body>): Route {
  const maxBytes = form.fileBytes ?? form.maxBytes;
  return {
    method: 'post',
    admits: 'users',
    path: form.path,
    ...(maxBytes !== undefined && { maxBytes, isWithFile: form.fileBytes !== undefined }),
    act: async (visit, fields) => sendForm(form, { visit, fields, ...ways }),
  };
}

/** What `formRoute` does with the fields that were sent; for a form that depends on what the API has now. */
export async function sendForm<Body>(
  form: ApiForm,
  { visit, fields, before, next, again }: Ways<Body> & { visit: Visit; fields: URLSearchParams },
): Promise<Outcome> {
  try {
    if (form.confirm !== undefined && !fields.has('confirm')) throw notConfirmed(form.confirm);
    const params = before ? await before(visit, fields) : visit.params;
    const ifMatch = fields.get('etag') ?? undefined;
    const reply = await visit.api.send<Body>({ ...form.request(params, fields), ifMatch });
    return await next(visit, reply, fields);
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status === 401) throw failure;
    return refused(failure, await again(visit, { form, fields, failure }));
  }
}

/** The page of a form that the API refused. */
export function refused(failure: ApiFailure, page: Page): Page {
  // Above everything, because the page may not offer the form any more.
  return { ...page, main: html`${problem(failure)}${page.main}`, status: failure.status };
}

/** The refusal of a form whose object is not as the form showed it any more. */
export function changedMeanwhile(what: string, action: string): ApiFailure {
  return new ApiFailure({
    status: 409,
    type: 'conflict',
    message: `Somebody has changed ${what} since you opened this page. Nothing was saved.`,
    action,
  });
}

function notConfirmed(text: string): ApiFailure {
  return new ApiFailure({
    status: 400,
    type: 'not_confirmed',
    message: 'Nothing was changed.',
    action: `Tick the box "${text}" first.`,
  });
}
