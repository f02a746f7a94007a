import type { GitHookEvent, ImportGitRepository } from '@bindery/contract';
import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { sealedSecretSchema } from '../database/sealedSecret.ts';

/** An event as it is listed; see GitHookEvent of the contract. */
export type GitHookEventRecord = Omit<GitHookEvent, 'object' | 'receivedAt'> & { receivedAt: Date };

/** The hook of a space: a push event signed with its secret starts an import. `_id` is the space. */
export type GitHookRecord = {
  _id: string;
  space: string;
  /** The organization to which its login belongs: it starts nothing in another one. */
  organization: string;
  /** The request of each import; its URL has no login. */
  request: ImportGitRepository;
  /** The user as whom imports run. */
  setBy: string;
  /** Sealed for `gitHookSecretContext`. */
  secret: SealedSecret;
  /** The former secret, sealed alike: until it expires, events signed with it are accepted too. */
  previousSecret?: { sealed: SealedSecret; expiresAt: Date };
  /** Login at the repository, as JSON, sealed for `gitHookLoginContext`. */
  login?: SealedSecret;
  /** The last events, newest first; the presenter says how many. */
  events: GitHookEventRecord[];
  createdAt: Date;
  updatedAt: Date;
  /** Counts the changes by callers, for `If-Match`. Events do not count. */
  version: number;
};

/** The context for sealing the secrets of a hook. */
export function gitHookSecretContext(spaceId: string): string {
  return `git-hook:${spaceId}`;
}

/** The context for sealing the login of a hook. */
export function gitHookLoginContext(spaceId: string): string {
  return `git-hook-login:${spaceId}`;
}

const schema = new Schema<GitHookRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    organization: { type: String, required: true },
    request: { type: Schema.Types.Mixed, required: true } as never,
    setBy: { type: String, required: true },
    secret: { type: sealedSecretSchema, required: true } as never,
    previousSecret: new Schema({ sealed: sealedSecretSchema, expiresAt: Date }, { _id: false }) as never,
    login: sealedSecretSchema as never,
    events: { type: [Schema.Types.Mixed], default: [] } as never,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    version: { type: Number, default: 1 },
  },
  { collection: 'gitHooks', versionKey: false },
);
schema.index({ space: 1 });

export const GitHook = mongoose.model('GitHook', schema);
