import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { sealedSecretSchema } from './sealedSecret.ts';

/** The login of one git job, sealed under the job's id; dropped when the job can no longer be retried. */
export type GitCredentialRecord = { _id: string; space: string; sealed: SealedSecret; expireAt: Date };

const credentialSchema = new Schema<GitCredentialRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    sealed: {
      type: sealedSecretSchema as never,
      required: true,
    },
    expireAt: { type: Date, required: true },
  },
  { collection: 'gitCredentials', versionKey: false },
);
credentialSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
credentialSchema.index({ space: 1 });

export const GitCredential = mongoose.model('GitCredential', credentialSchema);

/**
 * What is known of a repository from earlier imports, so that a sync fetches and scans only what changed.
 * `_id` is a keyed hash of organization, space, URL and repoCacheID: a record is never shared and its name cannot be guessed.
 */
export type GitRepositoryRecord = {
  _id: string;
  space: string;
  commit: string;
  /** Deflated JSON of what scanning each page found, by blob oid. A cache: dropping it costs time only. */
  facts: Buffer;
  updatedAt: Date;
};

const repositorySchema = new Schema<GitRepositoryRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    commit: { type: String, required: true },
    facts: Buffer,
    updatedAt: { type: Date, required: true },
  },
  { collection: 'gitRepositories', versionKey: false },
);
repositorySchema.index({ space: 1 });

export const GitRepository = mongoose.model('GitRepository', repositorySchema);
