import type { JobErrorCode, OpenAPISpec, OpenAPISpecErrorCode, OpenAPISpecVersion } from '@bindery/contract';
import type { MemberRecord, OpenAPISpecRecord, OpenAPISpecVersionRecord } from '@bindery/models';
import { openapiPermissions } from '../../permissions/openapi.ts';
import { apiUrl, appUrl } from '../../platform.ts';
import { fileUrl } from '../../presenters/fileUrl.ts';
import { phaseOf, type WorkingJob } from '../job/jobOutcome.ts';

/** @param job  the one that the specification names, while it is kept */
export function presentSpec(
  spec: OpenAPISpecRecord,
  { member, job }: { member: Pick<MemberRecord, 'role'>; job: WorkingJob | undefined },
): OpenAPISpec {
  const { _id: id, organization, slug, source, lastVersion } = spec;
  const permissions = openapiPermissions(member, { seesSpec: true });
  return {
    object: 'openapi-spec',
    id,
    createdAt: spec.createdAt.toISOString(),
    updatedAt: spec.updatedAt.toISOString(),
    slug,
    ...(source.url !== undefined && { sourceURL: permissions.edit ? source.url : withoutQuery(source.url) }),
    processingState: processingStates[phaseOf(job)],
    visibility: spec.visibility,
    ...(lastVersion !== undefined && { lastVersion }),
    ...presentOutcome(lastOutcome(spec, job)),
    permissions,
    urls: {
      location: apiUrl(`/orgs/${organization}/openapi/${slug}`),
      app: appUrl(`/o/${organization}/openapi/${slug}`),
      ...(spec.visibility === 'public' && { published: publishedUrl(spec) }),
    },
  };
}

/** Without the part of a URL that may hold a key. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

export function presentSpecVersion(
  spec: Pick<OpenAPISpecRecord, 'organization' | 'slug'>,
  version: OpenAPISpecVersionRecord,
): OpenAPISpecVersion {
  return {
    object: 'openapi-spec-version',
    id: version._id,
    createdAt: version.createdAt.toISOString(),
    url: documentUrl(spec, version),
    urls: { location: apiUrl(`/orgs/${spec.organization}/openapi/${spec.slug}/versions/${version._id}`) },
  };
}

/** The name under which the document of a version is saved. */
export function documentName({ slug }: Pick<OpenAPISpecRecord, 'slug'>, { document }: Pick<OpenAPISpecVersionRecord, 'document'>): string {
  return `${slug}.${document.format}`;
}

/** Where the document of a version is, as it was received; with `until`, in seconds since 1970, that ends. */
export function documentUrl(
  spec: Pick<OpenAPISpecRecord, 'organization' | 'slug'>,
  version: OpenAPISpecVersionRecord,
  until?: number,
): string {
  const { organization } = spec;
  return fileUrl({ organization, blob: version.document.blob, name: documentName(spec, version), ...(until !== undefined && { until }) });
}

/** Where everybody finds the last version of a public specification. */
export function publishedUrl({ _id }: Pick<OpenAPISpecRecord, '_id'>): string {
  return apiUrl(`/openapi/${_id}`);
}

export type SpecOutcome = Pick<OpenAPISpecRecord, 'lastProcessedAt' | 'lastProcessErrorCode' | 'lastProcessedErrors'>;

/** What the last processing came to: what its job published, unless the newest one failed before it could publish anything. */
export function lastOutcome(spec: OpenAPISpecRecord, job: WorkingJob | undefined): SpecOutcome {
  const { lastProcessedAt, lastProcessErrorCode, lastProcessedErrors } = spec;
  if (job?.state !== 'failed' && job?.state !== 'timed_out')
    return { lastProcessedErrors, ...(lastProcessedAt && { lastProcessedAt }), ...(lastProcessErrorCode && { lastProcessErrorCode }) };
  const { error, finishedAt = new Date() } = job;
  return {
    lastProcessedAt: finishedAt,
    lastProcessErrorCode: errorCodeOf(error?.code ?? 'internal'),
    lastProcessedErrors: error ? [{ message: error.message, code: error.code }] : [],
  };
}

const processingStates = { waiting: 'pending', working: 'progress', ended: 'complete' } as const;

function presentOutcome({ lastProcessedAt, lastProcessErrorCode, lastProcessedErrors }: SpecOutcome) {
  return {
    ...(lastProcessedAt && { lastProcessedAt: lastProcessedAt.toISOString() }),
    ...(lastProcessErrorCode && { lastProcessErrorCode }),
    lastProcessedErrorCount: lastProcessedErrors.length,
    ...(lastProcessedErrors.length > 0 && { lastProcessedErrors }),
  };
}

/** Of the three words that there are, the one that fits. */
function errorCodeOf(code: JobErrorCode): OpenAPISpecErrorCode {
  if (code === 'timeout' || code === 'deadline') return 'FETCH_TIMEOUT';
  return notFetching.has(code) ? 'PARSE_ERROR' : 'FETCH_ERROR';
}

/** What ends a job that has the document and reads it. */
const notFetching: ReadonlySet<JobErrorCode> = new Set<JobErrorCode>(['bad_content', 'limit', 'memory', 'crashed', 'quarantined']);
