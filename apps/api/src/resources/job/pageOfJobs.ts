import type { Job } from '@bindery/contract';
import { JobModel, type JobRecord, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import type { Links } from '../../presenters/links.ts';
import { findPage } from '../../records/findPage.ts';
import { withoutHiddenSubjects } from './hiddenSubjects.ts';
import { presentJob } from './job.presenter.ts';
import { filterOfState } from './shownState.ts';

export type JobFilter = {
  kind?: string | undefined;
  state?: Job['state'] | undefined;
  subject?: string | undefined;
};

/** Counting more would cost more than the page. */
export const jobsCounted = 200;

/**
 * The jobs of an organization whose subject the member may see, newest first. Omits their logs and their
 * positions in the queue: each position would need a count.
 */
export async function pageOfJobs(
  { links, organization, member }: { links: Links; organization: OrganizationRecord; member: MemberRecord },
  { kind, state, subject, ...query }: PageQuery & JobFilter,
): Promise<Page<Job>> {
  const filter = {
    organization: organization._id,
    ...compact({ 'subject.id': subject, kind }),
    ...(state !== undefined && filterOfState(state)),
    $and: [await withoutHiddenSubjects(organization._id, member)],
  };
  const { rows, ...page } = await findPage<JobRecord>(JobModel, filter, {
    ...query,
    without: ['result.changes', 'result.merge'],
    countsUpTo: jobsCounted,
  });
  return { ...page, items: rows.map((job) => presentJob(job, { links })) };
}
