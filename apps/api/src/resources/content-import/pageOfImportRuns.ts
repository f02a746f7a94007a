import type { ImportRun, ImportRunsQuery } from '@bindery/contract';
import { contentImportJobs } from '@bindery/jobs';
import {
  jobOf,
  JobModel,
  JobOutcome,
  SiteSpace,
  type JobOutcomeRecord,
  type JobRecord,
  type MemberRecord,
  type OrganizationRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import type { z } from 'zod';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import type { Links } from '../../presenters/links.ts';
import { findPage, newestFirst, cursorOf } from '../../records/findPage.ts';
import { withoutHiddenSubjects } from '../job/hiddenSubjects.ts';
import { showImportRuns } from './showImportRuns.ts';

type Filter = z.output<typeof ImportRunsQuery>;

/** The imports of an organization into spaces that the member may see, newest first. */
export async function pageOfImportRuns(
  { links, organization, member }: { links: Links; organization: OrganizationRecord; member: MemberRecord },
  { space, changeRequest, site, status, ...query }: PageQuery & Filter,
): Promise<Page<ImportRun>> {
  const filter = {
    organization: organization._id,
    kind: contentImportJobs.importContent.kind,
    ...compact({ 'input.spaceId': space, 'input.changeRequestId': changeRequest }),
    ...(status !== undefined && filterOfStatus(status)),
    $and: [
      await withoutHiddenSubjects(organization._id, member),
      ...(site === undefined ? [] : [await ofSite(site)]),
    ],
  };
  const { rows, ...page } = await findRuns(filter, query);
  return { ...page, items: await showImportRuns(rows, links) };
}

/**
 * One page of two merged lists: runs with a job record, and runs of which only the outcome is kept. A run
 * whose outcome is stored between the two queries is in both.
 */
async function findRuns(
  filter: object,
  query: PageQuery,
): Promise<{ rows: JobRecord[]; count: number; next?: Page<unknown>['next'] }> {
  const jobs = await findPage<JobRecord>(JobModel, { ...filter, outcome: { $ne: 'kept' } }, query);
  const kept = await findPage<JobOutcomeRecord>(JobOutcome, filter, query);
  const runs = new Map([...kept.rows.map(jobOf), ...jobs.rows].map((job) => [job._id, job]));
  const ordered = [...runs.values()].toSorted(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? 1 : -1),
  );
  const rows = ordered.slice(0, query.limit);
  const last = rows.at(-1);
  const isMore = ordered.length > rows.length || jobs.next !== undefined || kept.next !== undefined;
  return {
    rows,
    count: jobs.count + kept.count,
    next: isMore && last ? cursorOf(newestFirst, last) : undefined,
  };
}

async function ofSite(site: string): Promise<Record<string, unknown>> {
  const spaces = await SiteSpace.distinct('space', { site });
  return { $or: [{ 'input.site': site }, { 'input.spaceId': { $in: spaces } }] };
}

/** Matches the phases that `phaseOf` computes. */
function filterOfStatus(status: NonNullable<Filter['status']>): Record<string, unknown> {
  const isRetried = { $eq: [{ $last: '$attempts.outcome' }, 'retried'] };
  switch (status) {
    case 'active':
      return { state: { $in: ['accepted', 'queued', 'running'] } };
    case 'pending':
      return {
        state: { $in: ['accepted', 'queued'] },
        $expr: { $not: { $and: [{ $eq: ['$state', 'queued'] }, isRetried] } },
      };
    case 'in-progress':
      return {
        $expr: {
          $or: [{ $eq: ['$state', 'running'] }, { $and: [{ $eq: ['$state', 'queued'] }, isRetried] }],
        },
      };
    case 'completed':
      return { state: 'succeeded' };
    case 'failed':
      return { state: { $in: ['failed', 'timed_out', 'superseded'] } };
    case 'cancelled':
      return { state: 'cancelled' };
  }
}
