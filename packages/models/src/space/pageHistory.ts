import mongoose, { Schema } from 'mongoose';

/**
 * The history of the pages of a space in the branch that it was last in sync with: which commits changed
 * their files. One record for a space, whose id it has. It stands beside the content, not in it: a new commit
 * that touches no page changes no revision.
 */
export type PageHistoryRecord = {
  _id: string;
  space: string;
  /** Id of the sync point (git.ts) of the branch. */
  point: string;
  /** The commit up to which it is known, and the tree of the project directory in it. */
  commit: string;
  folder?: string;
  /** Ids of the parts; `partOf` of packages/content tells which one a file is in. */
  parts: string[];
  /** Changes with each write. */
  version: string;
  /** The server sends no history: nothing is known, whatever its commit. */
  isUnsupported?: boolean;
  updatedAt: Date;
};

const historySchema = new Schema<PageHistoryRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    point: { type: String, required: true },
    commit: { type: String, required: true },
    folder: String,
    parts: { type: [String], default: [] },
    version: { type: String, required: true },
    isUnsupported: Boolean,
    updatedAt: { type: Date, required: true },
  },
  { collection: 'pageHistories', versionKey: false },
);
historySchema.index({ space: 1 });

export const PageHistory = mongoose.model('PageHistory', historySchema);

/** Immutable; deflated, packages/content defines the form. */
export type PageHistoryPartRecord = { _id: string; space: string; packed: Uint8Array };

const partSchema = new Schema<PageHistoryPartRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    packed: { type: Buffer as never, required: true },
  },
  { collection: 'pageHistoryParts', versionKey: false },
);
partSchema.index({ space: 1 });

export const PageHistoryPart = mongoose.model('PageHistoryPart', partSchema);
