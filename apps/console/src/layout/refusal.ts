import { html, size } from '@bindery/html';
import type { ApiFailure } from '../api/apiFailure.ts';
import type { Page } from './page.ts';
import { problem } from './problem.ts';

const refusals = {
  nothingHere: [404, 'Nothing is here', 'No page of the console has this address.'],
  otherMethod: [405, 'This did not work', 'This address does not support this kind of request.'],
  otherSite: [403, 'This did not work', 'The form was sent from another site. Nothing was changed.'],
  noForm: [415, 'This did not work', 'The request is not a form. Nothing was changed.'],
  tooLarge: [413, 'This did not work', 'The form, or its file, is too large. Nothing was changed.'],
  tooSlow: [
    408,
    'This did not work',
    'The file arrived too slowly while others waited. Nothing was changed. Try again, with a smaller one if you can.',
  ],
  incomplete: [400, 'This did not work', 'The form did not arrive as a whole. Nothing was changed.'],
  broken: [
    500,
    'This did not work',
    'The console has failed. Try again; if the error persists, tell the operator, whose log has the cause.',
  ],
} as const;

export type Refusal = keyof typeof refusals;

/**
 * The page for a request that the console, or the API, refuses.
 *
 * @param maxBytes  the limit of a form that is too large
 */
export function refusal(is: Refusal | ApiFailure, { maxBytes }: { maxBytes?: number } = {}): Page {
  if (typeof is !== 'string') return { title: 'This did not work', main: problem(is), status: is.status };
  const [status, title, message] = refusals[is];
  return {
    title,
    status,
    main: html`<p class="note problem" role="alert">${message}${is === 'tooLarge' && maxBytes !== undefined && ` At most ${size(maxBytes)} are accepted here.`}</p><p><a href="/">To the overview</a></p>`,
  };
}
