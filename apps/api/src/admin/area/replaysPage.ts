import { notFound } from '@bindery/contract';
import { facts, html, type Html, moment, table } from '@bindery/html';
import { shownJobFields, type ShownJob } from '@bindery/jobs';
import { jobCollection, JobReplay, type JobReplayRecord } from '@bindery/models';
import { jobColumns } from './jobsPage.ts';
import type { AreaPage } from './layout.ts';
import { postForm } from './parts.ts';

const replaysShown = 50;
const jobsShown = 20;

/** The last replays. */
export async function replaysPage(): Promise<AreaPage> {
  const replays = await JobReplay.find({}, { jobs: 0 })
    .sort({ createdAt: -1 })
    .limit(replaysShown)
    .lean<Omit<JobReplayRecord, 'jobs'>[]>();
  return {
    title: 'Replays',
    main: html`<p>A replay runs ended jobs again. To prepare one, <a href="/admin/jobs?state=failed">show the jobs</a> that it should run.</p>
${table(
  {
    id: 'replays',
    caption: `The last ${replaysShown}, newest first. Times are UTC.`,
    none: 'There are no replays yet.',
  },
  [
    { name: 'Replay', cell: ({ _id }) => html`<a href="/admin/replays/${_id}">${_id}</a>` },
    { name: 'State', cell: ({ state }) => state },
    { name: 'Filter', cell: ({ filter }) => filterText(filter) },
    { name: 'Done', isNumber: true, cell: ({ done }) => done },
    { name: 'Prepared', cell: ({ createdAt, createdBy }) => html`${moment(createdAt)} by ${createdBy}` },
  ],
  replays,
)}`,
  };
}

/** One replay: before it is started, the dry run; then how far it is. @throws ApiError not_found */
export async function replayPage(id: string): Promise<AreaPage> {
  const replay = await JobReplay.findById(id).lean<JobReplayRecord>();
  if (!replay) throw notFound('replay', id);
  const { jobs, hasMore, state, done, skipped } = replay;
  return {
    title: `Replay ${replay._id}`,
    main: html`${introduction(replay)}
${facts([
  ['State', state],
  ['Filter', filterText(replay.filter)],
  ['Jobs', `${jobs.length}${hasMore ? ', the newest; older ones match too' : ''}`],
  ['Done', state !== 'proposed' && `${done}, of which ${skipped} could not run again`],
  ['Prepared', html`${moment(replay.createdAt)} by ${replay.createdBy}`],
  ['Started', moment(replay.startedAt)],
  ['Finished', moment(replay.finishedAt)],
])}
<h2>Jobs</h2>
${await firstJobs(jobs)}`,
  };
}

function introduction({ _id, jobs, state }: JobReplayRecord): Html {
  if (state === 'finished') return html``;
  if (state === 'running')
    return html`<p class="note">The maintenance worker runs the jobs again, one after the other. <a href="/admin/replays/${_id}">Load again</a></p>`;
  if (jobs.length === 0) return html`<p class="note">No job matches, so there is nothing to run.</p>`;
  return html`<p class="note">Nothing has run yet: this shows what would run.</p>
${postForm(`replays/${_id}/start`, `Run ${jobs.length} jobs again`, { isMain: true })}`;
}

async function firstJobs(jobs: JobReplayRecord['jobs']): Promise<Html> {
  const ids = jobs.slice(0, jobsShown).map(({ id }) => id);
  const found = (await jobCollection()
    .find({ _id: { $in: ids } }, { projection: shownJobFields })
    .sort({ createdAt: 1 })
    .toArray()) as ShownJob[];
  return table(
    {
      id: 'jobs',
      caption: `The first ${found.length} of ${jobs.length}, in the order in which they run. Times are UTC.`,
      none: 'None.',
    },
    await jobColumns(found),
    found,
  );
}

function filterText(filter: JobReplayRecord['filter']): string {
  return Object.entries(filter)
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
    .join('; ');
}
