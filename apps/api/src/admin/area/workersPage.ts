import { duration, html, moment, table } from '@bindery/html';
import { findRunningJobs, listLiveWorkers, workerStates } from '@bindery/jobs';
import { databaseNow } from '@bindery/models';
import type { AreaPage } from './layout.ts';

/** The live workers and what they run, and the worker apps that do not run. */
export async function workersPage(): Promise<AreaPage> {
  const [workers, running, states] = await Promise.all([
    listLiveWorkers(),
    findRunningJobs(),
    workerStates(),
  ]);
  const problems = Object.entries(states).filter(([, state]) => state !== 'ok');
  return {
    title: 'Workers',
    main: html`
${problems.length > 0 && html`<ul class="note problem">${problems.map(([app, state]) => html`<li>${app}: ${state}</li>`)}</ul>`}
${table(
  { id: 'workers', caption: 'The processes that are alive. Times are UTC.', none: 'No worker is running.' },
  [
    { name: 'Worker', cell: ({ _id, app }) => html`${app}<br><span class="soft">${_id}</span>` },
    { name: 'Version', cell: ({ version }) => version ?? 'unknown' },
    { name: 'Host', cell: ({ host, pid }) => `${host}, process ${pid}` },
    {
      name: 'Kinds',
      cell: ({ kinds }) => kinds.map(({ kind, version }) => `${kind} (input ${version})`).join(', '),
    },
    {
      name: 'Slots',
      isNumber: true,
      cell: ({ concurrency, running: busy }) => `${busy} of ${concurrency} busy`,
    },
    {
      name: 'Runs now',
      cell: ({ _id }) =>
        (running.get(_id) ?? []).map(
          (job) =>
            html`<a href="/admin/jobs/${job._id}">${job._id}</a> ${job.kind}${job.progress && `, ${job.progress.stage}`}<br>`,
        ),
    },
    { name: 'Started', cell: ({ startedAt }) => moment(startedAt) },
    {
      name: 'Last heartbeat',
      cell: ({ seenAt }) => html`${moment(seenAt)} (${duration(seenAt, databaseNow())} ago)`,
    },
  ],
  workers,
)}`,
  };
}
