import type { ImportRun, ImportRunsQuery } from '@bindery/contract';
import { JobModel, SiteSpace, type JobRecord, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import type { z } from 'zod';
import type { Page, PageQuery } from '../../http/paging.ts';
import { findPage } from '../findPage.ts';
import { withoutHiddenSubjects } from '../job/hiddenSubjects.ts';
import { showImportRuns } from './showImportRuns.ts';

type Filter = z.output<typeof ImportRunsQuery>;

/** The imports of an organization into spaces that the member may see, newest first. */
export async function pageOfImportRuns(
  { organization, member }: { organization: OrganizationRecord; member: MemberRecord },
  { space, changeRequest, site, status, ...query }: PageQuery & Filter,
): Promise<Page<ImportRun>> {
  const filter = {
    organization: organization._id,
    kind: 'content-import',
    ...(space !== undefined && { 'input.spaceId': space }),
    ...(changeRequest !== undefined && { 'input.changeRequestId': changeRequest }),
    ...(status !== undefined && filterOfStatus(status)),
    $and: [await withoutHiddenSubjects(organization._id, member), ...(site === undefined ? [] : [await ofSite(site)])],
  };
  const { rows, ...page } = await findPage<JobRecord>(JobModel, filter, query);
  return { ...page, items: await showImportRuns(rows) };
}

async function ofSite(site: string): Promise<Record<string, unknown>> {
  const spaces = await SiteSpace.distinct('space', { site });
  return { $or: [{ 'input.site': site }, { 'input.spaceId': { $in: spaces } }] };
}

/** As `phaseOf` tells them apart. */
function filterOfStatus(status: NonNullable<Filter['status']>): Record<string, unknown> {
  const isRetried = { $eq: [{ $last: '$attempts.outcome' }, 'retried'] };
  switch (status) {
    case 'active':
      return { state: { $in: ['accepted', 'queued', 'running'] } };
    case 'pending':
      return { state: { $in: ['accepted', 'queued'] }, $expr: { $not: { $and: [{ $eq: ['$state', 'queued'] }, isRetried] } } };
    case 'in-progress':
      return { $expr: { $or: [{ $eq: ['$state', 'running'] }, { $and: [{ $eq: ['$state', 'queued'] }, isRetried] }] } };
    case 'completed':
      return { state: 'succeeded' };
    case 'failed':
      return { state: { $in: ['failed', 'timed_out', 'superseded'] } };
    case 'cancelled':
      return { state: 'cancelled' };
  }
}
