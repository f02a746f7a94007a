import { html, type Html } from '@bindery/html';
import type { ApiFailure } from '../api/apiFailure.ts';

/** A refusal in the API's own words. */
export function problem({ message, action, details }: ApiFailure): Html {
  return html`<div class="note problem" role="alert"><p>${message} ${action}</p>
${details.length > 0 && html`<ul>${details.map((detail) => html`<li><code>${detail.path}</code>: ${detail.message}</li>`)}</ul>`}</div>`;
}
