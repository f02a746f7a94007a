import { ApiError } from '@bindery/contract';
import { acceptJob, openapiJobs } from '@bindery/jobs';
import { OpenAPISpec, serialized, type JobRecord, type OpenAPISpecRecord } from '@bindery/models';
import { findWorkingJobs } from '../job/jobOutcome.ts';
import { createSpec, type SpecRequest } from './createSpec.ts';
import { findSpec } from './findSpec.ts';
import { lastOutcome } from './openapiSpec.presenter.ts';
import { storeSource } from './specSource.ts';

/**
 * Gives a specification a new source, or makes it, and accepts the job that processes it. Of several sources that come together the last one
 * stays: the jobs of older ones give way to it.
 */
export async function putSpec(request: SpecRequest): Promise<{ spec: OpenAPISpecRecord; job: JobRecord }> {
  return serialized(`openapi:${request.organization}:${request.slug}`, async () => {
    for (;;) {
      const spec = await findSpec(request.organization, request.slug);
      try {
        if (spec) return await changeSource(spec, request);
        return await createSpec(request);
      } catch (error) {
        // Another process has made, changed or removed it meanwhile.
        if (!(error instanceof Overtaken) && !(spec === undefined && error instanceof ApiError && error.code === 'conflict')) throw error;
      }
    }
  });
}

class Overtaken extends Error {}

async function changeSource(
  spec: OpenAPISpecRecord,
  { source: given, startedBy, traceparent }: SpecRequest,
): Promise<{ spec: OpenAPISpecRecord; job: JobRecord }> {
  const { _id: id, organization, sourceRevision } = spec;
  const [source, jobs] = await Promise.all([storeSource(given, { specId: id, organization }), findWorkingJobs([spec.job])]);
  const { lastProcessErrorCode, ...outcome } = lastOutcome(spec, jobs.get(spec.job));
  let changed: OpenAPISpecRecord | null = null;
  const job = await acceptJob(openapiJobs.processSpec, {
    organization,
    subject: { type: 'openapi-spec', id },
    startedBy,
    permission: 'openapi.edit',
    traceparent,
    input: { specId: id, sourceRevision: sourceRevision + 1 },
    supersedes: true,
    also: async (session, jobId) => {
      changed = await OpenAPISpec.findOneAndUpdate(
        { _id: id, sourceRevision },
        {
          // How the last processing ended was told by the job that is no longer named here.
          $set: { source, job: jobId, updatedAt: new Date(), ...outcome, ...(lastProcessErrorCode && { lastProcessErrorCode }) },
          ...(!lastProcessErrorCode && { $unset: { lastProcessErrorCode: 1 } }),
          $inc: { sourceRevision: 1, version: 1 },
        },
        { session, returnDocument: 'after' },
      ).lean<OpenAPISpecRecord>();
      if (!changed) throw new Overtaken();
    },
  });
  return { spec: changed ?? spec, job };
}
