import type { ImportRun, Job, Space } from '@bindery/contract';
import { duration, facts, html, moment, table, type Html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import { assetPaths } from '../../assets/assets.ts';
import { orMissing } from '../../api/orMissing.ts';
import { formRoute, type ApiForm } from '../../http/apiForm.ts';
import { page, type Route, type Visit } from '../../http/route.ts';
import { jobEvents } from './jobEvents.ts';
import { formOf } from '../../layout/form.ts';
import { hasEnded, jobState, progressOf } from '../../layout/jobState.ts';
import type { Page } from '../../layout/page.ts';
import { mayUse } from '../../session/mayUse.ts';
import { belowOrganization, belowSpace } from '../space/space.ts';

const linesShown = 200;
const importKind = 'content-import';

const control = (verb: 'cancel' | 'retry'): ApiForm => ({
  path: `/jobs/:job/${verb}`,
  request: ({ job = '' }) => ({ method: 'POST', path: `${apiPath`/jobs/${job}`}/${verb}` }),
});
const [cancel, retry] = [control('cancel'), control('retry')];

export const jobRoutes: readonly Route[] = [
  page('/jobs/:job', jobPage),
  page('/jobs/:job/events', jobEvents),
  ...[cancel, retry].map((form) =>
    formRoute<Job>(form, { next: (_visit, { body }) => ({ location: `/jobs/${body.id}` }), again: jobPage }),
  ),
];

async function jobPage(visit: Visit): Promise<Page> {
  const job = await visit.api.get<Job>(apiPath`/jobs/${visit.params['job'] ?? ''}`);
  const space = await spaceOf(job, visit);
  const isLive = !hasEnded(job);
  const { createdAt, startedAt, finishedAt, error, stats, result } = job;
  return {
    title: `Job ${job.kind}`,
    above: space ? belowSpace(space) : belowOrganization(job),
    script: isLive ? assetPaths.job : undefined,
    main: html`${isLive && liveState(job)}
${facts([
  ['State', jobState(job)],
  ['Id', job.id],
  ['About', `${job.subject.type} ${job.subject.id}`],
  ['Accepted', moment(new Date(createdAt))],
  ['Started', startedAt !== undefined && moment(new Date(startedAt))],
  ['Ended', finishedAt !== undefined && moment(new Date(finishedAt))],
  [
    'Took',
    startedAt !== undefined &&
      finishedAt !== undefined &&
      duration(new Date(startedAt), new Date(finishedAt)),
  ],
  ['Attempts', job.attempts.length],
  ['Error', error && errorText(error)],
  ...Object.entries(stats).map(([name, value]) => [name, value] as const),
])}
${job.permissions?.control && mayUse(visit.session, 'jobs') && controls(job, visit)}
${result && json('Result', result)}
<h2>Log</h2>
${logOf(job, { isLive })}`,
  };
}

/** The space that a job is about; undefined for jobs about something else. @throws ApiFailure */
async function spaceOf(job: Job, { api }: Visit): Promise<Space | undefined> {
  const id = job.subject.type === 'space' ? job.subject.id : await targetOf(job, { api });
  // It may have been deleted since.
  return id === undefined ? undefined : orMissing(api.get<Space>(apiPath`/spaces/${id}`));
}

/** The space of an import into a change request. */
async function targetOf({ id, kind, organization }: Job, { api }: Pick<Visit, 'api'>) {
  if (kind !== importKind) return undefined;
  const run = await orMissing(api.get<ImportRun>(apiPath`/org/${organization}/imports/${id}`));
  return run?.target.space;
}

function controls(job: Job, visit: Visit): Value {
  if (!hasEnded(job))
    return job.state !== 'cancelling' && formOf(cancel, { visit, button: 'Cancel', isMain: false });
  return job.state !== 'succeeded' && formOf(retry, { visit, button: 'Run again', isMain: false });
}

function liveState(job: Job): Html {
  const { done = 0, total = 0 } = job.progress ?? {};
  return html`<p class="note"><span id="live" role="status" data-state="${job.state}">${progressOf(job) ?? 'No progress was reported yet.'}</span>
<progress id="bar" aria-label="Progress" value="${done}" max="${Math.max(1, total)}" ?hidden=${total === 0}></progress>
<a href="/jobs/${job.id}">Load again</a></p>`;
}

function errorText({ code, message, action }: NonNullable<Job['error']>): Html {
  return html`<span class="bad">${code}</span>: ${message} ${action}`;
}

function logOf({ log = [] }: Job, { isLive }: { isLive: boolean }): Html {
  return table(
    {
      id: 'log',
      caption: `The newest ${linesShown} lines, newest first. Times are UTC.`,
      // The script adds lines to an empty table.
      none: isLive ? undefined : 'It has no lines.',
    },
    [
      { name: 'Time', cell: ({ at }) => moment(new Date(at)) },
      { name: 'Level', cell: ({ level }) => level },
      { name: 'Line', cell: ({ message }) => message },
      { name: 'File', cell: ({ path }) => path },
    ],
    log.slice(-linesShown).toReversed(),
  );
}

function json(title: string, value: object): Html {
  return html`<h2>${title}</h2><pre tabindex="0" role="region" aria-label="${title}">${JSON.stringify(value, null, 2)}</pre>`;
}
