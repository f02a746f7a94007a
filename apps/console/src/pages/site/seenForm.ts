import { html, type Html } from '@bindery/html';
import { changedMeanwhile, type ApiForm } from '../../http/apiForm.ts';
import type { Visit } from '../../http/route.ts';
import { loadSite } from './frame.ts';

/** A form that changes something only as its page showed it. */
export type SeenForm = ApiForm & {
  /** The path, in the API, of the object that it changes. */
  object: (params: Record<string, string>, fields: URLSearchParams) => string;
};

/** The field with what the page shows, as `look` of `requireSeen` returns it. */
export function seenField(seen: string): Html {
  return html`<input type="hidden" name="seen" value="${seen}">`;
}

/**
 * Makes sure that what a form changes is as its page showed it; `If-Match` does so between the look and the
 * write.
 *
 * @param what  names it in the refusal
 * @param look  tells what the page would show now
 */
export function requireSeen<Body>(
  form: SeenForm,
  { what, look }: { what: string; look: (visit: Visit, object: Body) => Promise<string> },
): (visit: Visit, fields: URLSearchParams) => Promise<Record<string, string>> {
  return async (visit, fields) => {
    const { params, api } = visit;
    // The API refuses other callers.
    if (!(await loadSite(visit)).permissions.edit) return params;
    // Read before the look, so that a change after it has another version.
    const { headers, body } = await api.send<Body>({ method: 'GET', path: form.object(params, fields) });
    if ((await look(visit, body)) !== fields.get('seen'))
      throw changedMeanwhile(what, 'Look at it as it is now, then send the form again.');
    fields.set('etag', headers.get('etag') ?? '');
    return params;
  };
}
