import type { Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

export type GitSyncRecord = {
  provider: 'github' | 'gitlab' | 'github-legacy';
  url?: string;
  repoName?: string;
  updatedAt: Date;
};

export type SpaceRecord = {
  _id: string;
  organization: string;
  title: string;
  emoji?: string;
  parent?: string;
  language?: string;
  editMode: 'live' | 'locked';
  defaultLevel: Role | 'inherit' | null;
  /** Id of the active revision. */
  revision: string;
  gitSync?: GitSyncRecord;
  /** Time of the last event from git that was applied: an older one is dropped. */
  lastGitTimestamp?: Date;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  deletedAt?: Date;
};

const gitSyncSchema = new Schema<GitSyncRecord>(
  { provider: { type: String, required: true }, url: String, repoName: String, updatedAt: { type: Date, required: true } },
  { _id: false },
);

const schema = new Schema<SpaceRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    title: { type: String, required: true },
    emoji: String,
    parent: String,
    language: String,
    editMode: { type: String, default: 'live' },
    defaultLevel: { type: String, default: 'inherit' },
    revision: { type: String, required: true },
    gitSync: gitSyncSchema,
    lastGitTimestamp: Date,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    deletedAt: Date,
  },
  { collection: 'spaces', versionKey: false },
);
schema.index({ organization: 1, createdAt: -1, _id: -1 });

export const Space = mongoose.model('Space', schema);
