import type { OpenAPISpec } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { firstOf } from './frame.ts';

const errorsShown = 20;

const errors: Record<NonNullable<OpenAPISpec['lastProcessErrorCode']>, string> = {
  FETCH_TIMEOUT: 'The server of the URL did not send the document in time.',
  FETCH_ERROR: 'The document could not be fetched from its URL.',
  PARSE_ERROR: 'No version could be made of the document.',
};

/** How far the newest source of a specification is. */
export function specState({ processingState, lastProcessErrorCode, lastVersion }: OpenAPISpec): Html {
  if (processingState === 'pending') return html`<span class="state busy">waits</span>`;
  if (processingState === 'progress') return html`<span class="state busy">is being processed</span>`;
  if (lastProcessErrorCode !== undefined) return html`<span class="state bad">failed</span>`;
  if (lastVersion === undefined) return html`<span class="state soft">has no version</span>`;
  return html`<span class="state good">processed</span>`;
}

/** Why the newest source gave no version. */
export function specError({
  lastProcessErrorCode: code,
  lastProcessedErrors = [],
  lastProcessedErrorCount: count,
  lastVersion,
}: OpenAPISpec): Html | undefined {
  if (code === undefined) return undefined;
  const { first, more } = firstOf(lastProcessedErrors, { shown: errorsShown, count });
  return html`<div class="note problem"><p>${errors[code]} ${lastVersion !== undefined && 'The newest version stays.'}</p>
<ul>${first.map(({ message }) => html`<li>${message}</li>`)}</ul>${more}</div>`;
}
