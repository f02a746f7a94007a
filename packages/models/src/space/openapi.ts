import type { OpenAPISpecErrorCode } from '@bindery/contract';
import { newId, type SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';
import { sealedSecretSchema } from '../database/sealedSecret.ts';

/**
 * The source of a specification: a URL without its login, which is sealed under the specification's id, or a
 * text stored as a blob.
 */
export type OpenAPISpecSourceRecord =
  | { url: string; login?: SealedSecret; blob?: never }
  | { blob: string; url?: never; login?: never };

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
  lastProcessedErrors: { message: string; code?: string }[];
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  /** Counts the changes by callers, for `If-Match`. */
  version: number;
};

const schema = new Schema<OpenAPISpecRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    slug: { type: String, required: true },
    source: {
      type: new Schema({ url: String, login: sealedSecretSchema, blob: String }, { _id: false }) as never,
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
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    version: { type: Number, default: 1 },
  },
  { collection: 'openapiSpecs', versionKey: false },
);
schema.index({ organization: 1, slug: 1 }, { unique: true });
schema.index({ organization: 1, createdAt: -1, _id: -1 });

export const OpenAPISpec = mongoose.model('OpenAPISpec', schema);

/** A version of a specification that differs from the one before. */
export type OpenAPISpecVersionRecord = {
  _id: string;
  organization: string;
  spec: string;
  /** Hash of the whole: the same hash is the same version. */
  contentHash: string;
  /** The entry document as received. */
  document: { blob: string; format: 'json' | 'yaml' };
  /** Its files, as the JSON of a list of OpenAPISpecFile. */
  filesystem: { blob: string };
  createdAt: Date;
};

const versionSchema = new Schema<OpenAPISpecVersionRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    spec: { type: String, required: true },
    contentHash: { type: String, required: true },
    document: { type: new Schema({ blob: String, format: String }, { _id: false }) as never, required: true },
    filesystem: { type: new Schema({ blob: String }, { _id: false }) as never, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'openapiSpecVersions', versionKey: false },
);
versionSchema.index({ spec: 1, createdAt: -1, _id: -1 });

export const OpenAPISpecVersion = mongoose.model('OpenAPISpecVersion', versionSchema);

/**
 * Publishes the result of processing a source: a new version, unless the last one has the same content. The
 * blobs must be stored before.
 *
 * @returns undefined, without a write, when the specification is deleted or its source has changed
 */
export async function insertSpecVersion(
  {
    spec: specId,
    sourceRevision,
    ...content
  }: Pick<OpenAPISpecVersionRecord, 'spec' | 'contentHash' | 'document' | 'filesystem'> &
    Pick<OpenAPISpecRecord, 'sourceRevision'>,
  session: ClientSession,
): Promise<{ version: OpenAPISpecVersionRecord; isNew: boolean } | undefined> {
  const current = { _id: specId, sourceRevision };
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
      : { _id: newId(), organization: spec.organization, spec: specId, ...content, createdAt: at };
  if (isNew) await OpenAPISpecVersion.create([version], { session });
  await OpenAPISpec.updateOne(
    current,
    {
      $set: {
        lastVersion: version._id,
        lastProcessedAt: at,
        lastProcessedErrors: [],
        ...(isNew && { updatedAt: at }),
      },
      $unset: { lastProcessErrorCode: 1 },
    },
    { session },
  );
  return { version, isNew };
}
