import type { OpenAPISpec, OpenAPISpecVersion } from '@bindery/contract';
import { lastSpecOutcome } from '@bindery/jobs';
import type { MemberRecord, OpenAPISpecRecord, OpenAPISpecVersionRecord } from '@bindery/models';
import { openapiPermissions } from '../../permissions/openapi.ts';
import type { Links } from '../../presenters/links.ts';
import { phaseOf, type WorkingJob } from '../job/jobOutcome.ts';

/** @param job  the job that the specification names, while its record exists */
export function presentSpec(
  spec: OpenAPISpecRecord,
  { links, member, job }: { links: Links; member: Pick<MemberRecord, 'role'>; job: WorkingJob | undefined },
): OpenAPISpec {
  const { _id: id, organization, slug, source, lastVersion } = spec;
  const permissions = openapiPermissions(member, { seesSpec: true });
  const outcome = lastSpecOutcome(spec, job);
  return {
    object: 'openapi-spec',
    id,
    createdAt: spec.createdAt.toISOString(),
    updatedAt: spec.updatedAt.toISOString(),
    slug,
    sourceURL: permissions.edit ? source.url : source.url && withoutQuery(source.url),
    processingState: processingStates[phaseOf(job)],
    visibility: spec.visibility,
    lastVersion,
    ...presentOutcome(outcome),
    refresh: source.url === undefined ? undefined : presentRefresh(spec, outcome),
    permissions,
    urls: {
      location: links.api(`/orgs/${organization}/openapi/${slug}`),
      app: links.app(`/o/${organization}/openapi/${slug}`),
      ...(spec.visibility === 'public' && publishedUrls(spec, links)),
    },
  };
}

/** Removes the query of a URL, which may contain a key. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

export function presentSpecVersion(
  spec: Pick<OpenAPISpecRecord, 'organization' | 'slug'>,
  { links, version }: { links: Links; version: OpenAPISpecVersionRecord },
): OpenAPISpecVersion {
  return {
    object: 'openapi-spec-version',
    id: version._id,
    createdAt: version.createdAt.toISOString(),
    url: documentUrl(spec, { links, version }),
    openapi: version.openapi,
    title: version.title,
    version: version.documentVersion,
    counts: version.counts,
    findings: version.findings.count,
    changes: version.review?.changes,
    urls: { location: links.api(`/orgs/${spec.organization}/openapi/${spec.slug}/versions/${version._id}`) },
  };
}

/** The file name of the document of a version. */
export function documentName(
  { slug }: Pick<OpenAPISpecRecord, 'slug'>,
  { document }: Pick<OpenAPISpecVersionRecord, 'document'>,
): string {
  return `${slug}.${document.format}`;
}

/** The URL of the document of a version as it was received; expires at `until`, in seconds since 1970. */
export function documentUrl(
  spec: Pick<OpenAPISpecRecord, 'organization' | 'slug'>,
  { links, version, until }: { links: Links; version: OpenAPISpecVersionRecord; until?: number | undefined },
): string {
  const { organization } = spec;
  return links.file({
    organization,
    blob: version.document.blob,
    name: documentName(spec, version),
    until,
  });
}

/** The URL at which anyone can read the last version of a public specification as it was received. */
export function publishedUrl({ _id }: Pick<OpenAPISpecRecord, '_id'>, links: Links): string {
  return links.api(`/openapi/${_id}`);
}

function publishedUrls(spec: OpenAPISpecRecord, links: Links) {
  const published = publishedUrl(spec, links);
  return {
    published,
    json: `${published}/openapi.json`,
    yaml: `${published}/openapi.yaml`,
    reference: `${published}/reference`,
  };
}

const processingStates = { waiting: 'pending', working: 'progress', ended: 'complete' } as const;

function presentOutcome({
  lastProcessedAt,
  lastProcessErrorCode,
  lastProcessedErrors,
  lastProcessedErrorCount,
}: ReturnType<typeof lastSpecOutcome>) {
  return {
    lastProcessedAt: lastProcessedAt?.toISOString(),
    lastProcessErrorCode,
    lastProcessedErrorCount: lastProcessedErrorCount ?? lastProcessedErrors.length,
    lastProcessedErrors: lastProcessedErrors.length > 0 ? lastProcessedErrors : undefined,
  };
}

function presentRefresh(
  { refreshMinutes, nextRefreshAt, failingSince }: OpenAPISpecRecord,
  outcome: ReturnType<typeof lastSpecOutcome>,
) {
  // The record has it from the second failure in a row on.
  const since = outcome.lastProcessErrorCode && (failingSince ?? outcome.lastProcessedAt);
  return {
    minutes: refreshMinutes,
    nextAt: nextRefreshAt?.toISOString(),
    failingSince: since?.toISOString(),
  };
}
