import { ApiError, type OpenAPISpecSource } from '@bindery/contract';
import { acceptJob, openapiJobs } from '@bindery/jobs';
import {
  isDuplicateKey,
  nextSpecRefresh,
  OpenAPISpec,
  type JobRecord,
  type OpenAPISpecRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { storeSource, type SpecPlatform } from './specSource.ts';

export type SpecRequest = {
  platform: SpecPlatform;
  organization: string;
  slug: string;
  source: OpenAPISpecSource;
  startedBy: string;
  traceparent: string;
};

/**
 * Creates a specification and accepts the job that processes it, in one transaction.
 *
 * @throws conflict when the organization has a specification with this slug
 */
export async function createSpec({
  platform,
  organization,
  slug,
  source: given,
  startedBy,
  traceparent,
}: SpecRequest): Promise<{
  spec: OpenAPISpecRecord;
  job: JobRecord;
}> {
  if (await OpenAPISpec.exists({ organization, slug })) throw slugIsTaken(slug);
  const id = newId();
  const source = await storeSource(platform, given, { specId: id, organization });
  const now = new Date();
  const { refreshMinutes: standardMinutes } = platform.config.openapi;
  const nextRefreshAt = nextSpecRefresh({ source }, { standardMinutes, now });
  const build = (jobId: string): OpenAPISpecRecord => ({
    _id: id,
    organization,
    slug,
    source,
    sourceRevision: 1,
    visibility: 'private',
    job: jobId,
    lastProcessedErrors: [],
    nextRefreshAt,
    createdBy: startedBy,
    createdAt: now,
    updatedAt: now,
    version: 1,
  });
  try {
    const job = await acceptJob(openapiJobs.processSpec, {
      organization,
      subject: { type: 'openapi-spec', id },
      startedBy,
      permission: 'openapi.edit',
      traceparent,
      input: { specId: id, sourceRevision: 1 },
      also: async (session, jobId) => {
        await OpenAPISpec.create([build(jobId)], { session });
      },
    });
    return { spec: build(job._id), job };
  } catch (error) {
    if (isDuplicateKey(error)) throw slugIsTaken(slug);
    throw error;
  }
}

function slugIsTaken(slug: string): ApiError {
  return new ApiError('conflict', `The organization already has a specification with the slug ${slug}.`, {
    action: 'Choose another `slug`, or give the existing one a new source with PUT.',
  });
}
