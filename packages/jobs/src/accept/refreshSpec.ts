import { isFinal } from '@bindery/contract';
import {
  findOutcomes,
  jobCollection,
  OpenAPISpec,
  type JobRecord,
  type OpenAPISpecRecord,
} from '@bindery/models';
import { openapiJobs } from '../definitions/openapi.ts';
import { lastSpecOutcome, storingOutcome } from '../state/specOutcome.ts';
import { acceptJob } from './acceptJob.ts';

/** Thrown when the source of a specification has changed, or another process refreshes it. */
class Overtaken extends Error {}

/** Finds the job that a specification names: its record, or the kept outcome of an expired one. */
export async function findJobOfSpec({ job }: Pick<OpenAPISpecRecord, 'job'>): Promise<JobRecord | undefined> {
  return (await jobCollection().findOne({ _id: job })) ?? (await findOutcomes({ job }))[0];
}

/** Whether a job waits or runs. */
export function isUnfinished(job: Pick<JobRecord, 'state'> | undefined): boolean {
  return job !== undefined && !isFinal(job.state);
}

/**
 * Accepts a job that fetches the present source of a specification again, unless one waits or runs already.
 *
 * @param set  further fields of the specification, written in the same transaction
 * @returns the job, or the unfinished one; undefined when the source has changed meanwhile
 */
export async function refreshSpec(
  spec: OpenAPISpecRecord,
  {
    startedBy,
    traceparent,
    set = {},
  }: { startedBy: string; traceparent?: string | undefined; set?: Partial<OpenAPISpecRecord> },
): Promise<JobRecord | undefined> {
  const { _id: id, organization, sourceRevision, job: lastJob } = spec;
  const before = await findJobOfSpec(spec);
  if (before && isUnfinished(before)) return before;
  // The specification no longer names the last job, so the outcome of that job is stored in it.
  const outcome = storingOutcome(lastSpecOutcome(spec, before));
  try {
    return await acceptJob(openapiJobs.processSpec, {
      organization,
      subject: { type: 'openapi-spec', id },
      startedBy,
      permission: 'openapi.edit',
      traceparent,
      input: { specId: id, sourceRevision },
      also: async (session, job) => {
        const { matchedCount } = await OpenAPISpec.updateOne(
          { _id: id, sourceRevision, job: lastJob },
          { ...outcome, $set: { ...outcome.$set, ...set, job } },
          { session },
        );
        if (matchedCount === 0) throw new Overtaken();
      },
    });
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  }
}
