import { isFinal, notFound } from '@bindery/contract';
import { duration, facts, html, type Html, moment, table, type Value } from '@bindery/html';
import { explainWaiting, findLaneHolder, findQueueEntry, readLog, type Waiting } from '@bindery/jobs';
import {
  databaseNow,
  jobCollection,
  type JobAttempt,
  type JobErrorRecord,
  type JobLogLine,
  type JobRecord,
} from '@bindery/models';
import { scrubSecrets } from '@bindery/runtime';
import { shownState } from '../../resources/job/shownState.ts';
import { listPath } from './jobFilter.ts';
import type { AreaPage } from './layout.ts';
import { askLink, state } from './parts.ts';

const linesShown = 200;

/**
 * Everything about one job.
 *
 * @param traces.viewerUrl  the URL of a trace in the operator's viewer, with `{traceId}`
 * @throws ApiError not_found
 */
export async function jobPage(id: string, traces: { viewerUrl?: string | undefined }): Promise<AreaPage> {
  const job = await loadJob(id);
  const [waiting, log, entry, holder] = await Promise.all([
    explainWaiting(job),
    readLog(job),
    findQueueEntry(job),
    job.waiting?.reason === 'lane' && job.lane !== undefined ? findLaneHolder(job.lane) : undefined,
  ]);
  const isUnfinished = !isFinal(job.state);
  return {
    title: `Job ${job._id}`,
    isLive: isUnfinished,
    main: html`
${isUnfinished && liveState(job, waiting)}
<p>${actionsOf(job)}</p>
${facts([
  ['State', state(shownState(job))],
  [
    'Kind',
    html`<a href="${listPath({ kind: job.kind })}">${job.kind}</a>, queue ${job.queue}, version ${job.version} of its input`,
  ],
  ['Organization', html`<a href="${listPath({ organization: job.organization })}">${job.organization}</a>`],
  [
    'Subject',
    html`${job.subject.type} <a href="${listPath({ subject: job.subject.id })}">${job.subject.id}</a>`,
  ],
  ['Started by', job.startedBy],
  ['Waits', waiting && html`${waiting.message}${waiting.until && html` Until ${moment(waiting.until)}.`}`],
  ['Place in the queue', waiting?.position && `${waiting.position} of the jobs of its organization`],
  ['Follows', holder && html`<a href="/admin/jobs/${holder._id}">${holder._id}</a> (${holder.state})`],
  ['Lane', job.lane],
  [
    'Queue entry',
    entry && html`<a href="/admin/queues/queue/${entry.queue}/${entry.id}">${entry.id}</a> (${entry.state})`,
  ],
  ['Trace', traceOf(job, traces)],
  ['Error', job.error && errorOf(job.error)],
])}
<h2 id="timeline">Timeline</h2>
${timelineOf(job)}
<h2>Attempts</h2>
${attemptsOf(job.attempts)}
<h2>Log</h2>
${logOf(job, log)}
<h2 id="input">Input</h2>
${json('input', job.input)}
${job.result && html`<h2 id="result">Result</h2>${json('result', job.result)}`}
${Object.keys(job.stats).length > 0 && html`<h2 id="counts">Counts</h2>${json('counts', job.stats)}`}`,
  };
}

/** The id of the trace, also without a viewer: the lines of the logs have it. */
function traceOf({ traceparent }: JobRecord, { viewerUrl }: { viewerUrl?: string | undefined }): Value {
  const traceId = traceparent?.slice(3, 35);
  if (traceId === undefined || viewerUrl === undefined) return traceId;
  return html`<a href="${viewerUrl.replace('{traceId}', traceId)}">${traceId}</a>`;
}

/** @throws ApiError not_found */
export async function loadJob(id: string): Promise<JobRecord> {
  const job = await jobCollection().findOne({ _id: id });
  if (!job) throw notFound('job', id);
  return job;
}

/** How far a job is, in words. */
export function progressText(
  { progress }: Pick<JobRecord, 'progress'>,
  waiting: Waiting | undefined,
): string {
  if (waiting) return waiting.message;
  if (!progress) return 'No progress was reported yet.';
  const { stage, done, total } = progress;
  return done === undefined ? stage : `${stage}: ${done}${total === undefined ? '' : ` of ${total}`}`;
}

/** Also the place where the script writes the progress. */
function liveState(job: JobRecord, waiting: Waiting | undefined): Html {
  const { done = 0, total = 0 } = job.progress ?? {};
  return html`<p class="note"><span id="live" role="status" data-state="${shownState(job)}">${progressText(job, waiting)}</span>
<progress id="bar" aria-label="Progress" value="${done}" max="${total || 1}" ?hidden=${total === 0}></progress>
<a href="/admin/jobs/${job._id}">Load again</a></p>`;
}

function actionsOf({ _id, state: stored, cancelRequestedAt }: JobRecord): Value {
  if (!isFinal(stored)) return !cancelRequestedAt && askLink(`jobs/${_id}/cancel`, 'Cancel');
  return stored !== 'succeeded' && askLink(`jobs/${_id}/retry`, 'Retry');
}

function errorOf({ class: errorClass, code, message, action }: JobErrorRecord): Html {
  return html`<span class="bad">${code}</span> (${errorClass}): ${scrubSecrets(message)}${action && html` ${scrubSecrets(action)}`}`;
}

function timelineOf(job: JobRecord): Html {
  const events: [Date | undefined | null, Value][] = [
    [job.createdAt, 'Accepted'],
    ...job.attempts.flatMap(({ epoch, worker, startedAt, endedAt, outcome }): [Date | undefined, Value][] => [
      [startedAt, html`Run ${epoch} started on ${worker}`],
      [endedAt, html`Run ${epoch} ended: ${outcome ?? 'unknown'}`],
    ]),
    [job.runAfter, 'Next attempt'],
    [job.cancelRequestedAt, 'Cancel requested'],
    [job.finishedAt, html`Ended: ${job.state}`],
    [
      isFinal(job.state) ? undefined : job.deadlineAt,
      job.startedAt ? 'Deadline of its end' : 'Deadline of its start',
    ],
  ];
  const known = events
    .filter((event): event is [Date, Value] => event[0] instanceof Date)
    .sort(([a], [b]) => a.getTime() - b.getTime());
  return html`<ol aria-labelledby="timeline">${known.map(([at, text]) => html`<li>${moment(at)} ${text}</li>\n`)}</ol>`;
}

function attemptsOf(attempts: readonly JobAttempt[]): Html {
  return table(
    { id: 'attempts', caption: 'Oldest first. Times are UTC.', none: 'It has not run yet.' },
    [
      { name: 'Run', isNumber: true, cell: ({ epoch }) => epoch },
      { name: 'Worker', cell: ({ worker }) => worker },
      { name: 'Started', cell: ({ startedAt }) => moment(startedAt) },
      {
        name: 'Took',
        isNumber: true,
        cell: ({ startedAt, endedAt }) => duration(startedAt, endedAt ?? databaseNow()),
      },
      { name: 'Outcome', cell: ({ outcome }) => outcome ?? 'running' },
      { name: 'Error', cell: ({ error }) => error && errorOf(error) },
    ],
    attempts,
  );
}

function logOf({ logLines }: JobRecord, log: readonly JobLogLine[]): Html {
  const shown = log.slice(-linesShown).reverse();
  return table(
    {
      id: 'log',
      caption: `Newest first, ${shown.length} of ${logLines} lines. Times are UTC.`,
      none: 'It has no lines.',
    },
    [
      { name: 'Time', cell: ({ at }) => moment(at) },
      { name: 'Level', cell: ({ level }) => level },
      { name: 'Line', cell: ({ message }) => scrubSecrets(message) },
      { name: 'File', cell: ({ path }) => path },
    ],
    shown,
  );
}

function json(label: string, value: unknown): Html {
  return html`<pre tabindex="0" role="region" aria-labelledby="${label}">${scrubSecrets(JSON.stringify(value, null, 2))}</pre>`;
}
