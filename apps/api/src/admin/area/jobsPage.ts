import { type Column, duration, html, moment, shortened, table } from '@bindery/html';
import { findJobs, jobsScanned, listJobKinds, type ShownJob } from '@bindery/jobs';
import { databaseNow, Organization } from '@bindery/models';
import { scrubSecrets } from '@bindery/runtime';
import { shownState } from '../../resources/job/shownState.ts';
import {
  filterFields,
  filterForm,
  listPath,
  readFilter,
  readReplayFilter,
  type Fields,
} from './jobFilter.ts';
import type { AreaPage } from './layout.ts';
import { postForm, state } from './parts.ts';
import { titlesOf } from './titlesOf.ts';

const jobsPerPage = 50;

/** The list of the jobs of all organizations, by a filter in the URL. */
export async function jobsPage(fields: Fields): Promise<AreaPage> {
  const filter = readFilter(fields);
  const [{ jobs, next, isCut }, kinds] = await Promise.all([
    findJobs(filter, { limit: jobsPerPage, after: fields('after') }),
    listJobKinds(),
  ]);
  const chosen = filterFields(fields);
  const older = next !== undefined && listPath({ ...chosen, after: next });
  return {
    title: 'Jobs',
    main: html`${filterForm(fields, kinds)}
${isCut && html`<p class="note" role="status">This page searched the newest ${jobsScanned} jobs of its range; older ones may match too.</p>`}
${readReplayFilter(fields) && html`<p>${postForm('replays', 'Prepare a replay of these jobs', { fields: chosen })} It shows which jobs would run again before any does.</p>`}
${table({ id: 'jobs', caption: 'Newest first. Times are UTC.', none: 'No job matches.' }, await jobColumns(jobs), jobs)}
${older && html`<p><a href="${older}">Older jobs</a></p>`}`,
  };
}

/** The columns of a table of jobs. */
export async function jobColumns(jobs: readonly ShownJob[]): Promise<Column<ShownJob>[]> {
  const titles = await titlesOf(
    Organization,
    jobs.map(({ organization }) => organization),
  );
  return [
    { name: 'Job', cell: ({ _id }) => html`<a href="/admin/jobs/${_id}">${_id}</a>` },
    { name: 'Kind', cell: ({ kind }) => kind },
    { name: 'State', cell: (job) => state(shownState(job)) },
    {
      name: 'Organization',
      cell: ({ organization }) =>
        html`<a href="${listPath({ organization })}">${shortened(titles.get(organization) ?? organization, 60)}</a>`,
    },
    {
      name: 'Subject',
      cell: ({ subject }) =>
        html`${subject.type} <a href="${listPath({ subject: subject.id })}">${subject.id}</a>`,
    },
    { name: 'Accepted', cell: ({ createdAt }) => moment(createdAt) },
    { name: 'Ran', isNumber: true, cell: (job) => timeOf(job) },
    {
      name: 'Error',
      cell: ({ error }) => error && html`${error.code}: ${shortened(scrubSecrets(error.message))}`,
    },
  ];
}

function timeOf({ startedAt, finishedAt }: ShownJob): string | undefined {
  return startedAt && duration(startedAt, finishedAt ?? databaseNow());
}
