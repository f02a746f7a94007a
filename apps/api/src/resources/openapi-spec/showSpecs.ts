import type { OpenAPISpec } from '@bindery/contract';
import { OpenAPISpec as OpenAPISpecModel, type OpenAPISpecRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { findPage } from '../../records/findPage.ts';
import { findWorkingJobs } from '../job/jobOutcome.ts';
import { presentSpec } from './openapiSpec.presenter.ts';
import { visibleSpecs, type SpecView } from './specsOfGuest.ts';

/** Presents a specification as a member sees it. */
export async function showSpec(spec: OpenAPISpecRecord, { links, member }: SpecView): Promise<OpenAPISpec> {
  const jobs = await findWorkingJobs([spec.job]);
  return presentSpec(spec, { links, member, job: jobs.get(spec.job) });
}

/** The specifications of the member's organization that it may see, newest first. */
export async function pageOfSpecs({ links, member }: SpecView, query: PageQuery): Promise<Page<OpenAPISpec>> {
  const { rows, ...page } = await findPage<OpenAPISpecRecord>(
    OpenAPISpecModel,
    await visibleSpecs({ links, member }),
    query,
  );
  const jobs = await findWorkingJobs(rows.map(({ job }) => job));
  return {
    ...page,
    items: rows.map((spec) => presentSpec(spec, { links, member, job: jobs.get(spec.job) })),
  };
}
