import { trimmedSides } from '@bindery/contract';
import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { sealedSecretSchema } from '../database/sealedSecret.ts';
import type { GitSyncRecord } from './space.ts';

/** The login of one git job, sealed under the job's id; deleted when the job can no longer be retried. */
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

/** The context for sealing the login of a job. */
export function gitCredentialContext(jobId: string): string {
  return `git-credential:${jobId}`;
}

export const GitCredential = mongoose.model('GitCredential', credentialSchema);

/**
 * Cached data of a repository from earlier imports, so that a sync fetches and scans only the changes. `_id`
 * is a keyed hash of organization, space, URL and repoCacheID: a record is never shared and its name cannot
 * be guessed.
 */
export type GitRepositoryRecord = {
  _id: string;
  space: string;
  commit: string;
  /** Version of the form of `parts`; other versions are ignored. */
  version: number;
  /** The settings of the import, and the `contentHash` of the revision it made. */
  settings: string;
  contentHash: string;
  /** The tree of the imported folder. */
  treeOid: string;
  /** The data of a full read, then of each later incremental one. A cache: dropping it only costs time. */
  parts: GitRepositoryPart[];
  updatedAt: Date;
};

/** Deflated; the git worker defines the form. */
export type GitRepositoryPart = Partial<
  Record<'pages' | 'files' | 'trees' | 'outline' | 'notes', Uint8Array>
>;

const repositorySchema = new Schema<GitRepositoryRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    commit: { type: String, required: true },
    version: Number,
    settings: String,
    contentHash: String,
    treeOid: String,
    parts: { type: [Schema.Types.Mixed], default: [] } as never,
    updatedAt: { type: Date, required: true },
  },
  { collection: 'gitRepositories', versionKey: false },
);
repositorySchema.index({ space: 1 });

export const GitRepository = mongoose.model('GitRepository', repositorySchema);

/**
 * The last state in sync between a space and a branch of a remote repository: the commit, and the revision,
 * whose items say where each of them is in that commit. `_id` is a keyed hash of space, repository, branch
 * and project directory.
 */
export type GitSyncPointRecord = {
  _id: string;
  /** Name of the remote (`remoteName` of the git worker); absent in a record of an earlier version. */
  remote?: string;
  space: string;
  commit: string;
  /** Oid of the tree of the project directory in that commit. */
  folder?: string;
  revision: string;
  /** For exports that change only texts of pages: a cache, of use while it is of the same commit. */
  trees?: SyncPointTrees;
  updatedAt: Date;
};

/** The tree objects of a commit from its root on; the git worker defines the form of `parts`. */
export type SyncPointTrees = {
  commit: string;
  /** Oid of the root tree. */
  root: string;
  /** All trees of an earlier commit, then what each later one added. */
  parts: Uint8Array[];
  partCount: number;
  sizeBytes: number;
};

const syncPointSchema = new Schema<GitSyncPointRecord>(
  {
    _id: String,
    remote: String,
    space: { type: String, required: true },
    commit: { type: String, required: true },
    folder: String,
    revision: { type: String, required: true },
    trees: Schema.Types.Mixed,
    updatedAt: { type: Date, required: true },
  },
  { collection: 'gitSyncPoints', versionKey: false },
);
syncPointSchema.index({ space: 1 });
syncPointSchema.index({ remote: 1 }, { sparse: true });

export const GitSyncPoint = mongoose.model('GitSyncPoint', syncPointSchema);

/**
 * Builds the git sync of a space for an import or export with `gitInfo`.
 *
 * @param repository  URL of the repository, without a login
 */
export function gitSyncOf(
  { provider, url }: { provider: 'github' | 'gitlab'; url: string },
  repository: string,
): GitSyncRecord {
  return { provider, url, repoName: repositoryName(repository), updatedAt: new Date() };
}

/** Extracts `owner/name` from the URL of a repository. */
function repositoryName(url: string): string {
  return trimmedSides(new URL(url).pathname, '/').replace(/\.git$/, '');
}
