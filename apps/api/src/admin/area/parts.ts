import { isFinal, type Job, type JobState } from '@bindery/contract';
import { html, type Html } from '@bindery/html';

/** The state of a job, never by colour alone. */
export function state(shown: Job['state']): Html {
  return html`<span class="state ${toneOf(shown)}">${shown}</span>`;
}

function toneOf(shown: Job['state']): string {
  if (shown === 'succeeded') return 'good';
  if (shown === 'failed' || shown === 'timed_out') return 'bad';
  return isFinal(shown as JobState) ? 'soft' : 'busy';
}

/** A form that posts fields to a path of this area. */
export function postForm(
  path: string,
  button: string,
  { fields = {}, isMain = false }: { fields?: Record<string, string>; isMain?: boolean } = {},
): Html {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="inline" method="post" action="/admin/${path}">${inputs}<button class="${isMain && 'main'}">${button}</button></form>`;
}

/** A link in the form of a button, to the page that asks whether an action is meant. */
export function askLink(path: string, name: string): Html {
  return html`<a class="button" href="/admin/${path}">${name}</a> `;
}
