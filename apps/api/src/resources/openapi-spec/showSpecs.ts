import type { OpenAPISpec } from '@bindery/contract';
import { OpenAPISpec as OpenAPISpecModel, type OpenAPISpecRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { findPage } from '../../records/findPage.ts';
import { findWorkingJobs, phaseOf } from '../job/jobOutcome.ts';
import { presentSpec } from './openapiSpec.presenter.ts';
import { visibleSpecs, type SpecView } from './specsOfGuest.ts';

/** Presents a specification as a member sees it. */
export async function showSpec(spec: OpenAPISpecRecord, { links, member }: SpecView): Promise<OpenAPISpec> {
  const [presented] = await presentWithJobs([spec], { links, member });
  return presented!;
}

/** The specifications of the member's organization that it may see, newest first. */
export async function pageOfSpecs({ links, member }: SpecView, query: PageQuery): Promise<Page<OpenAPISpec>> {
  const { rows, ...page } = await findPage<OpenAPISpecRecord>(
    OpenAPISpecModel,
    await visibleSpecs({ links, member }),
    query,
  );
  return { ...page, items: await presentWithJobs(rows, { links, member }) };
}

/**
 * Presents specifications with the states of their jobs. A job may have ended since its specification was
 * read: then the specification is read again, because it has the outcome of the job.
 */
async function presentWithJobs(
  specs: readonly OpenAPISpecRecord[],
  { links, member }: SpecView,
): Promise<OpenAPISpec[]> {
  const jobs = await findWorkingJobs(specs.map(({ job }) => job));
  const ended = specs.filter(({ job }) => phaseOf(jobs.get(job)) === 'ended').map(({ _id }) => _id);
  const read = await OpenAPISpecModel.find({ _id: { $in: ended } }).lean<OpenAPISpecRecord[]>();
  // A newer source has another job, whose state is not known here.
  const present = new Map(read.map((spec) => [`${spec._id} ${spec.job}`, spec]));
  return specs.map((spec) =>
    presentSpec(present.get(`${spec._id} ${spec.job}`) ?? spec, { links, member, job: jobs.get(spec.job) }),
  );
}
