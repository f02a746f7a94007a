import type { OpenAPISpecErrorCode } from '@bindery/contract';
import { newId, type SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';
import { sealedSecretSchema } from '../database/sealedSecret.ts';
import { requestSpecFollowUp } from './specFollowUp.ts';

/**
 * The source of a specification: a URL without its login, which is sealed under the specification's id, a
 * text stored as a blob, or an uploaded ZIP archive.
 */
export type OpenAPISpecSourceRecord =
  | { url: string; login?: SealedSecret; validators?: SourceValidators; blob?: never; archive?: never }
  | { blob: string; url?: never; archive?: never }
  | { archive: SourceArchive; url?: never; blob?: never };

/** How the server named the state of the document from which the last version was made. */
export type SourceValidators = { etag?: string; lastModified?: string };

/** `key` names the uploaded blob; `entry` the path of the entry document, if the caller has given it. */
export type SourceArchive = { key: string; entry?: string };

/**
 * An API specification of an organization.
 *
 * The record holds the results of successful processing: the last write of a job is insertSpecVersion. The
 * progress of the newest source, and the reason of a failure, are in the job named by `job` or, once its
 * record has expired, in its kept outcome (jobOutcome.ts).
 */
export type OpenAPISpecRecord = {
  _id: string;
  organization: string;
  slug: string;
  source: OpenAPISpecSourceRecord;
  /** Counts its sources. A job has the number of its own source, and is superseded when that is outdated. */
  sourceRevision: number;
  visibility: 'private' | 'public';
  /** The job of the newest source. */
  job: string;
  lastVersion?: string;
  lastProcessedAt?: Date;
  /** The error of a specification that was fetched but cannot be used: a finding of a job that succeeded. */
  lastProcessErrorCode?: OpenAPISpecErrorCode;
  /** The first errors; `lastProcessedErrorCount` counts all. */
  lastProcessedErrors: { message: string; code?: string }[];
  lastProcessedErrorCount?: number;
  /** How often its URL is fetched again, in minutes; 0 is never. Absent: as often as the operator says. */
  refreshMinutes?: number;
  /** Absent for sources without a URL, and for those that are not fetched again. */
  nextRefreshAt?: Date;
  /** Refreshes in a row that failed, and when the first of them ended; judged when the next one is due. */
  failures?: number;
  failingSince?: Date;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  /** Counts the changes by callers, for `If-Match`. */
  version: number;
};

/** The context for sealing the login of a source. */
export function specSourceContext(specId: string): string {
  return `openapi-source:${specId}`;
}

const schema = new Schema<OpenAPISpecRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    slug: { type: String, required: true },
    source: {
      type: new Schema(
        {
          url: String,
          login: sealedSecretSchema,
          validators: { type: new Schema({ etag: String, lastModified: String }, { _id: false }) },
          blob: String,
          archive: { type: new Schema({ key: String, entry: String }, { _id: false }) },
        },
        { _id: false },
      ) as never,
      required: true,
    },
    sourceRevision: { type: Number, required: true },
    visibility: { type: String, default: 'private' },
    job: { type: String, required: true },
    lastVersion: String,
    lastProcessedAt: Date,
    lastProcessErrorCode: String,
    lastProcessedErrors: {
      type: [new Schema({ message: String, code: String }, { _id: false })],
      default: [],
    } as never,
    lastProcessedErrorCount: Number,
    refreshMinutes: Number,
    nextRefreshAt: Date,
    failures: Number,
    failingSince: Date,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    version: { type: Number, default: 1 },
  },
  { collection: 'openapiSpecs', versionKey: false },
);
schema.index({ organization: 1, slug: 1 }, { unique: true });
schema.index({ organization: 1, createdAt: -1, _id: -1 });
schema.index({ nextRefreshAt: 1 }, { sparse: true });

export const OpenAPISpec = mongoose.model('OpenAPISpec', schema);

const longestRefreshMinutes = 7 * 24 * 60;

/**
 * When to fetch the source of a specification again: after its interval, doubled for each refresh in a row
 * that failed, up to a week, and varied by a tenth, so that not all come at the same moment.
 *
 * @param standardMinutes  the interval of specifications without one of their own; 0 is never
 * @returns undefined for a source that is not fetched again
 */
export function nextSpecRefresh(
  { source, refreshMinutes, failures = 0 }: Pick<OpenAPISpecRecord, 'source' | 'refreshMinutes' | 'failures'>,
  { standardMinutes, now }: { standardMinutes: number; now: Date },
): Date | undefined {
  const minutes = refreshMinutes ?? standardMinutes;
  if (source.url === undefined || minutes === 0) return undefined;
  const backedOff = Math.max(minutes, Math.min(minutes * 2 ** failures, longestRefreshMinutes));
  return new Date(now.getTime() + backedOff * 60_000 * (0.9 + 0.2 * Math.random()));
}

/** A version of a specification that differs from the one before. */
export type OpenAPISpecVersionRecord = {
  _id: string;
  organization: string;
  spec: string;
  /** Hash of the bundle, which ignores white space and comments: the same hash is the same version. */
  contentHash: string;
  /** The entry document as received. */
  document: { blob: string; format: 'json' | 'yaml' };
  /** The other files as received, as the JSON of a list of names and texts; absent for a single file. */
  otherFiles?: { blob: string; count: number };
  /** All files in one document, as JSON, in the specification's own version of OpenAPI. */
  bundle: { blob: string };
  /** The bundle as YAML; absent from versions of earlier releases. */
  yaml?: { blob: string };
  /** The document that readers get, as the JSON of a list of OpenAPISpecFile. */
  filesystem: { blob: string };
  /** Its operations, tags, webhooks and schemas, as JSON. */
  index: { blob: string };
  /** The JSON of a list of OpenAPISpecFinding, and the number of all findings, stored or not. */
  findings: { blob: string; count: number };
  /** Version of OpenAPI as it was understood, such as `3.0.3`. */
  openapi: string;
  /** `title` and `version` of the document's `info`. */
  title: string;
  documentVersion: string;
  counts: { operations: number; webhooks: number; schemas: number };
  createdAt: Date;
  /**
   * When to start the job that reviews the version or, once that is started, when to look whether it has
   * failed. Absent when the review has ended.
   */
  reviewDueAt?: Date;
  /** That job, until webhooks are notified of the version. */
  reviewJob?: string;
  /** Absent until that job has succeeded. */
  review?: SpecReview;
};

/** The review of a version after its publication. A part that failed is absent. */
export type SpecReview = {
  /** The version that it was compared with, and the number of changes by severity. */
  changes?: { before: string; breaking: number; warning: number; info: number };
  /** The JSON of a list of OpenAPISpecFinding, and the number of all. */
  lint?: { blob: string; count: number };
  /** Whether swagger-parser takes it. */
  compatibility?: { isAccepted: boolean; reason?: string };
};

const blobField = { type: new Schema({ blob: String }, { _id: false }) as never, required: true };
const reviewSchema = new Schema(
  {
    changes: {
      type: new Schema({ before: String, breaking: Number, warning: Number, info: Number }, { _id: false }),
    },
    lint: { type: new Schema({ blob: String, count: Number }, { _id: false }) },
    compatibility: { type: new Schema({ isAccepted: Boolean, reason: String }, { _id: false }) },
  },
  { _id: false },
);
const versionSchema = new Schema<OpenAPISpecVersionRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    spec: { type: String, required: true },
    contentHash: { type: String, required: true },
    document: { type: new Schema({ blob: String, format: String }, { _id: false }) as never, required: true },
    otherFiles: { type: new Schema({ blob: String, count: Number }, { _id: false }) as never },
    bundle: blobField,
    yaml: { type: new Schema({ blob: String }, { _id: false }) as never },
    filesystem: blobField,
    index: blobField,
    findings: { type: new Schema({ blob: String, count: Number }, { _id: false }) as never, required: true },
    openapi: { type: String, required: true },
    title: { type: String, default: '' },
    documentVersion: { type: String, default: '' },
    counts: {
      type: new Schema({ operations: Number, webhooks: Number, schemas: Number }, { _id: false }) as never,
      required: true,
    },
    createdAt: { type: Date, required: true },
    reviewDueAt: Date,
    reviewJob: String,
    review: { type: reviewSchema },
  },
  { collection: 'openapiSpecVersions', versionKey: false },
);
versionSchema.index({ spec: 1, createdAt: -1, _id: -1 });
versionSchema.index({ reviewDueAt: 1 }, { sparse: true });

export const OpenAPISpecVersion = mongoose.model('OpenAPISpecVersion', versionSchema);

/** Returns the version of a specification that was published before this one; undefined for the first. */
export async function findSpecVersionBefore(
  { spec, createdAt }: Pick<OpenAPISpecVersionRecord, 'spec' | 'createdAt'>,
  session?: ClientSession,
): Promise<OpenAPISpecVersionRecord | undefined> {
  const found = await OpenAPISpecVersion.findOne({ spec, createdAt: { $lt: createdAt } })
    .sort({ createdAt: -1, _id: -1 })
    .session(session ?? null)
    .lean<OpenAPISpecVersionRecord>();
  return found ?? undefined;
}

/** The content of a new version; its blobs are stored already. */
export type SpecVersionContent = Omit<
  OpenAPISpecVersionRecord,
  '_id' | 'organization' | 'createdAt' | 'reviewDueAt' | 'reviewJob' | 'review'
>;

/** A source of a specification; writes about it have no effect when a newer source has replaced it. */
export type SpecSourceName = Pick<OpenAPISpecRecord, 'sourceRevision'> & { spec: string };

/**
 * Publishes the result of processing a source: a new version, unless the last one has the same content.
 *
 * @param _id  id of the version, if it is a new one
 * @param validators  how the server named this state of the document; kept for the next fetch
 * @returns undefined, without a write, when the specification is deleted or its source has changed
 */
export async function insertSpecVersion(
  {
    _id = newId(),
    sourceRevision,
    validators,
    ...content
  }: SpecVersionContent & SpecSourceName & { _id?: string; validators?: SourceValidators | undefined },
  session: ClientSession,
): Promise<{ version: OpenAPISpecVersionRecord; isNew: boolean } | undefined> {
  const current = { _id: content.spec, sourceRevision };
  const spec = await OpenAPISpec.findOne(current).session(session).lean<OpenAPISpecRecord>();
  if (!spec) return undefined;
  const last =
    spec.lastVersion === undefined
      ? null
      : await OpenAPISpecVersion.findById(spec.lastVersion).session(session).lean();
  const isNew = last?.contentHash !== content.contentHash;
  // Later than the previous version, so that sorting by time keeps their order.
  const at = new Date(Math.max(Date.now(), (last?.createdAt.getTime() ?? 0) + 1));
  const version: OpenAPISpecVersionRecord =
    last && !isNew
      ? last
      : { _id, organization: spec.organization, ...content, createdAt: at, reviewDueAt: at };
  if (isNew) await OpenAPISpecVersion.create([version], { session });
  const isUrl = spec.source.url !== undefined;
  await OpenAPISpec.updateOne(
    current,
    {
      $set: {
        lastVersion: version._id,
        lastProcessedAt: at,
        lastProcessedErrors: [],
        ...(isNew && { updatedAt: at }),
        ...(isUrl && validators && { 'source.validators': validators }),
      },
      $unset: {
        lastProcessErrorCode: 1,
        lastProcessedErrorCount: 1,
        ...(isUrl && !validators && { 'source.validators': 1 }),
      },
    },
    { session },
  );
  if (isNew) await requestSpecFollowUp(spec, session);
  return { version, isNew };
}

/**
 * Notes that a source has not changed since the last version was made from it.
 *
 * @returns false, without a write, when the specification is deleted or its source has changed
 */
export async function noteUnchangedSpec(
  { spec, sourceRevision }: SpecSourceName,
  session: ClientSession,
): Promise<boolean> {
  const { matchedCount } = await OpenAPISpec.updateOne(
    { _id: spec, sourceRevision },
    {
      $set: { lastProcessedAt: new Date(), lastProcessedErrors: [] },
      $unset: { lastProcessErrorCode: 1, lastProcessedErrorCount: 1 },
    },
    { session },
  );
  return matchedCount > 0;
}

/** The number of errors that a specification keeps; all are counted. */
const keptErrors = 100;

/**
 * Notes that no version could be made from a source, which was received. The last version stays.
 *
 * @returns false, without a write, when the specification is deleted or its source has changed
 */
export async function noteUnusableSpec(
  {
    spec,
    sourceRevision,
    errors,
    errorCount,
  }: SpecSourceName & { errors: OpenAPISpecRecord['lastProcessedErrors']; errorCount: number },
  session: ClientSession,
): Promise<boolean> {
  const { matchedCount } = await OpenAPISpec.updateOne(
    { _id: spec, sourceRevision },
    {
      $set: {
        lastProcessedAt: new Date(),
        lastProcessErrorCode: 'PARSE_ERROR',
        lastProcessedErrors: errors.slice(0, keptErrors),
        lastProcessedErrorCount: errorCount,
      },
      // The server must send the document again: without a version there is nothing to keep.
      $unset: { 'source.validators': 1 },
    },
    { session },
  );
  return matchedCount > 0;
}
