import type { Job } from '@bindery/contract';
import { duration, html, moment, table, type Html } from '@bindery/html';
import { jobState, progressOf } from '../../layout/jobState.ts';
import { jobLink } from '../links.ts';

/** Jobs, newest first. */
export function jobsTable(jobs: readonly Job[]): Html {
  return table<Job>(
    { id: 'jobs', caption: 'Newest first. Times are UTC.', none: 'There are none.' },
    [
      { name: 'Job', cell: ({ id, kind }) => jobLink(id, kind) },
      { name: 'State', cell: jobState },
      {
        name: 'Progress or error',
        cell: (job) =>
          job.error
            ? html`<span class="bad">${job.error.code}</span>: ${job.error.message}`
            : progressOf(job),
      },
      { name: 'Accepted', cell: ({ createdAt }) => moment(new Date(createdAt)) },
      {
        name: 'Took',
        isNumber: true,
        cell: ({ startedAt, finishedAt }) =>
          startedAt !== undefined &&
          finishedAt !== undefined &&
          duration(new Date(startedAt), new Date(finishedAt)),
      },
    ],
    jobs,
  );
}
