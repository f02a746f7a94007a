import type { Job } from '@bindery/contract';
import { jobCollection, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import { cutPage, type Page, type PageQuery } from '../../http/paging.ts';
import { afterPlace, newestFirst, placeOf } from '../findPage.ts';
import { withoutHiddenSubjects } from './hiddenSubjects.ts';
import { presentJob } from './job.presenter.ts';
import { filterOfState } from './shownState.ts';

export type JobFilter = { kind?: string | undefined; state?: Job['state'] | undefined; subject?: string | undefined };

/** The jobs of an organization whose subject the member may see, newest first. Without their places in the queue: each would be a count. */
export async function pageOfJobs(
  { organization, member }: { organization: OrganizationRecord; member: MemberRecord },
  { limit, after, kind, state, subject }: PageQuery & JobFilter,
): Promise<Page<Job>> {
  const filter = {
    organization: organization._id,
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && filterOfState(state)),
    ...(subject !== undefined && { 'subject.id': subject }),
    $and: [await withoutHiddenSubjects(organization._id, member)],
  };
  const [count, jobs] = await Promise.all([
    jobCollection().countDocuments(filter),
    jobCollection()
      .find({ ...filter, ...(after && afterPlace(newestFirst, after)) })
      .sort(Object.fromEntries(newestFirst))
      .limit(limit + 1)
      .toArray(),
  ]);
  const { items, next } = cutPage(jobs, limit, (job) => placeOf(newestFirst, job));
  return { count, next, items: items.map((job) => presentJob(job)) };
}
