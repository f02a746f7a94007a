import type { OpenAPISpec } from '@bindery/contract';
import { OpenAPISpec as OpenAPISpecModel, type MemberRecord, type OpenAPISpecRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { findPage } from '../../records/findPage.ts';
import { findWorkingJobs } from '../job/jobOutcome.ts';
import { presentSpec } from './openapiSpec.presenter.ts';
import { visibleSpecs } from './specsOfGuest.ts';

/** A specification as a member sees it. */
export async function showSpec(spec: OpenAPISpecRecord, member: MemberRecord): Promise<OpenAPISpec> {
  const jobs = await findWorkingJobs([spec.job]);
  return presentSpec(spec, { member, job: jobs.get(spec.job) });
}

/** The specifications of the member's organization that it may see, newest first. */
export async function pageOfSpecs(member: MemberRecord, query: PageQuery): Promise<Page<OpenAPISpec>> {
  const { rows, ...page } = await findPage<OpenAPISpecRecord>(OpenAPISpecModel, await visibleSpecs(member), query);
  const jobs = await findWorkingJobs(rows.map(({ job }) => job));
  return { ...page, items: rows.map((spec) => presentSpec(spec, { member, job: jobs.get(spec.job) })) };
}
