import { ApiError } from '@bindery/contract';
import { acceptJob, lastSpecOutcome, openapiJobs, storingOutcome } from '@bindery/jobs';
import {
  nextSpecRefresh,
  OpenAPISpec,
  Overtaken,
  retryOptimistic,
  serialized,
  type JobRecord,
  type OpenAPISpecRecord,
} from '@bindery/models';
import { findWorkingJobs } from '../job/jobOutcome.ts';
import { createSpec, type SpecRequest } from './createSpec.ts';
import { findSpec } from './findSpec.ts';
import { storeSource } from './specSource.ts';

/**
 * Replaces the source of a specification, or creates the specification, and accepts the job that processes
 * it. The last of several concurrent sources stays: its job supersedes those of the others.
 *
 * @throws conflict when other processes keep changing the source
 */
export async function putSpec(request: SpecRequest): Promise<{ spec: OpenAPISpecRecord; job: JobRecord }> {
  return serialized(`openapi:${request.organization}:${request.slug}`, async () =>
    retryOptimistic({
      attempts: 10,
      attempt: async () => {
        const spec = await findSpec(request.organization, request.slug);
        return spec ? changeSource(spec, request) : createUnlessThere(request);
      },
      refusal: () =>
        new ApiError(
          'conflict',
          'Others keep changing the source of the specification; nothing was changed.',
          {
            action: 'Send the request again in a moment.',
          },
        ),
    }),
  );
}

/** @throws Overtaken when another process has created it */
async function createUnlessThere(request: SpecRequest): Promise<{ spec: OpenAPISpecRecord; job: JobRecord }> {
  try {
    return await createSpec(request);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict')
      throw new Overtaken('The slug was taken.', { cause: error });
    throw error;
  }
}

async function changeSource(
  spec: OpenAPISpecRecord,
  { platform, source: given, startedBy, traceparent }: SpecRequest,
): Promise<{ spec: OpenAPISpecRecord; job: JobRecord }> {
  const { _id: id, organization, sourceRevision } = spec;
  const [source, jobs] = await Promise.all([
    storeSource(platform, given, { specId: id, organization }),
    findWorkingJobs([spec.job]),
  ]);
  // The specification no longer names the last job, so the outcome of that job is stored in it.
  const outcome = storingOutcome(lastSpecOutcome(spec, jobs.get(spec.job)));
  const now = new Date();
  const { refreshMinutes: standardMinutes } = platform.config.openapi;
  const nextRefreshAt = nextSpecRefresh({ ...spec, source, failures: 0 }, { standardMinutes, now });
  let changed: OpenAPISpecRecord | null = null;
  const job = await acceptJob(openapiJobs.processSpec, {
    organization,
    subject: { type: 'openapi-spec', id },
    startedBy,
    permission: 'openapi.edit',
    traceparent,
    input: { specId: id, sourceRevision: sourceRevision + 1 },
    supersedes: 'waiting',
    also: async (session, jobId) => {
      changed = await OpenAPISpec.findOneAndUpdate(
        { _id: id, sourceRevision },
        {
          $set: {
            ...outcome.$set,
            source,
            job: jobId,
            updatedAt: now,
            failures: 0,
            ...(nextRefreshAt && { nextRefreshAt }),
          },
          $unset: { ...outcome.$unset, failingSince: 1, ...(!nextRefreshAt && { nextRefreshAt: 1 }) },
          $inc: { sourceRevision: 1, version: 1 },
        },
        { session, returnDocument: 'after' },
      ).lean<OpenAPISpecRecord>();
      if (!changed) throw new Overtaken();
    },
  });
  return { spec: changed ?? spec, job };
}
