import { jobStates, type JobState } from '@bindery/contract';
import { html, type Html } from '@bindery/html';
import { replayableStates, type JobFilter, type ReplayFilter } from '@bindery/jobs';
import { compact } from '@bindery/runtime';

/** Reads a field of a form or a query; undefined when it is absent or empty. */
export type Fields = (name: string) => string | undefined;

const unfinished: readonly JobState[] = ['accepted', 'queued', 'running'];

const labels = {
  organization: 'Organization (id)',
  subject: 'Subject (id)',
  error: 'Text of the error',
} as const;

/** The filter that the fields of a form or of a URL describe. An unknown state matches every job. */
export function readFilter(fields: Fields): JobFilter {
  const state = fields('state');
  const states = state === 'unfinished' ? unfinished : jobStates.filter((known) => known === state);
  return {
    organization: fields('organization'),
    kind: fields('kind'),
    subject: fields('subject'),
    error: fields('error'),
    states: states.length > 0 ? states : undefined,
  };
}

/** The same filter for a replay; undefined when its jobs cannot run again. */
export function readReplayFilter(fields: Fields): ReplayFilter | undefined {
  const { states, ...others } = readFilter(fields);
  const state = replayableStates.find((known) => states?.length === 1 && states[0] === known);
  return state && { ...others, state };
}

/** The non-empty fields of the filter, for a URL or for hidden inputs. */
export function filterFields(fields: Fields): Record<string, string> {
  const names = ['organization', 'kind', 'state', 'subject', 'error'] as const;
  return compact(Object.fromEntries(names.map((name) => [name, fields(name)]))) as Record<string, string>;
}

/** The path of the list of jobs with a filter. */
export function listPath(fields: Record<string, string>): string {
  const query = new URLSearchParams(fields).toString();
  return `/admin/jobs${query && `?${query}`}`;
}

/** The form of the filter, which leads to a URL that can be kept. */
export function filterForm(fields: Fields, kinds: readonly string[]): Html {
  const text = (name: keyof typeof labels) => html`<div><label for="${name}">${labels[name]}</label>
<input id="${name}" name="${name}" value="${fields(name)}" maxlength="200" autocomplete="off"></div>`;
  const choice = (
    name: string,
    label: string,
    options: readonly string[],
  ) => html`<div><label for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">any</option>${options.map(
    (option) => html`<option ?selected=${option === fields(name)}>${option}</option>`,
  )}</select></div>`;
  return html`<form class="filter" method="get" action="/admin/jobs" role="search" aria-label="Filter of the jobs">
${choice('kind', 'Kind', kinds)}
${choice('state', 'State', ['unfinished', ...jobStates])}
${text('organization')}
${text('subject')}
${text('error')}
<div><button class="main">Show</button></div>
</form>`;
}
