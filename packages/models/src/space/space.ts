import type { ImportConflictRule, Role } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import { accessSchema, type AccessRecord } from '../access/access.ts';

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
  /** URL of its picture; it has this or an emoji. */
  icon?: string;
  parent?: string;
  /** The collections above, outermost first; the last one is `parent`. */
  ancestors: string[];
  /** Its parent: a collection, or the organization at the root. */
  siblingsOf: string;
  /** Place among its siblings (positions.ts). */
  position: string;
  language?: string;
  editMode: 'live' | 'locked';
  defaultLevel: Role | 'inherit' | null;
  access: AccessRecord;
  /** Counts the locks for changes of the tree (refreshAccess.ts). */
  treeVersion?: number;
  /** The most open visibility among its published sites; absent without any. */
  siteVisibility?: 'public' | 'unlisted' | 'share-link' | 'visitor-auth';
  /** Counts the computations of `siteVisibility` (spaceVisibility.ts). */
  siteVisibilityVersion?: number;
  /**
   * The numbers of open comments on the main content and of change requests, maintained by the writes that
   * change them.
   */
  counts: {
    comments: number;
    changeRequests: number;
    changeRequestsOpen: number;
    changeRequestsDraft: number;
  };
  /** The number of the newest change request. */
  lastChangeRequest: number;
  /** Id of the active revision. */
  revision: string;
  gitSync?: GitSyncRecord;
  /** The rule of git imports for conflicts; absent for the default. */
  gitOnConflict?: ImportConflictRule;
  /** Whether git syncs read the history of pages; absent for the default, true. */
  gitHistory?: boolean;
  /** The `version` of that history (pageHistory.ts): readers keep pages that show it. */
  historyVersion?: string;
  /** Time of the last applied event from git: older ones are dropped. */
  lastGitTimestamp?: Date;
  /** Id of the sync point (git.ts) of the branch last imported from or exported to. */
  syncedWith?: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  deletedAt?: Date;
  /** Whether it is in the trash; a field of its own, as the first key of indexes. */
  isDeleted: boolean;
  /** It cannot be restored any more: its removal has begun. */
  purgeStartedAt?: Date;
  /** Counts the changes of the record, for `If-Match`. */
  version: number;
};

/** The counts of a new space. */
export const noCounts: Readonly<SpaceRecord['counts']> = {
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
};

const gitSyncSchema = new Schema<GitSyncRecord>(
  {
    provider: { type: String, required: true },
    url: String,
    repoName: String,
    updatedAt: { type: Date, required: true },
  },
  { _id: false },
);

const schema = new Schema<SpaceRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    title: { type: String, required: true },
    emoji: String,
    icon: String,
    parent: String,
    ancestors: { type: [String], default: [] },
    siblingsOf: { type: String, required: true },
    position: { type: String, required: true },
    language: String,
    editMode: { type: String, default: 'live' },
    defaultLevel: { type: String, default: 'inherit' },
    access: { type: accessSchema, required: true } as never,
    treeVersion: Number,
    siteVisibility: String,
    siteVisibilityVersion: Number,
    counts: {
      type: new Schema(
        { comments: Number, changeRequests: Number, changeRequestsOpen: Number, changeRequestsDraft: Number },
        { _id: false },
      ),
      default: noCounts,
    } as never,
    lastChangeRequest: { type: Number, default: 0 },
    revision: { type: String, required: true },
    gitSync: gitSyncSchema,
    gitOnConflict: String,
    gitHistory: Boolean,
    historyVersion: String,
    lastGitTimestamp: Date,
    syncedWith: String,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    deletedAt: Date,
    isDeleted: { type: Boolean, default: false },
    purgeStartedAt: Date,
    version: { type: Number, default: 1 },
  },
  { collection: 'spaces', versionKey: false },
);
schema.index({ organization: 1, isDeleted: 1, createdAt: -1, _id: -1 });
schema.index({ organization: 1, isDeleted: 1, 'access.readers': 1, createdAt: -1, _id: -1 });
schema.index({ organization: 1, isDeleted: 1, title: 1, _id: 1 });
schema.index({ organization: 1, isDeleted: 1, 'access.readers': 1, title: 1, _id: 1 });
schema.index({ siblingsOf: 1, isDeleted: 1, position: 1, _id: 1 });
schema.index({ siblingsOf: 1, isDeleted: 1, 'access.readers': 1, position: 1, _id: 1 });
schema.index({ ancestors: 1 });
// An order that nothing changes: a pass through all spaces of an organization misses none that is deleted or
// restored during it.
schema.index({ organization: 1, _id: 1 });
schema.index({ deletedAt: 1, _id: 1 }, { partialFilterExpression: { deletedAt: { $exists: true } } });

export const Space = mongoose.model('Space', schema);
