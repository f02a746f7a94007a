import mongoose, { Schema } from 'mongoose';
import type { ChangeRequestRecord } from './changeRequest.ts';

/**
 * The Markdown source of a page, as received: `frontmatter` (with its delimiters and a byte order mark) and
 * `body` are bytes and together make the file. Stored once per organization under the SHA-256 of the whole.
 */
export type PageDocumentRecord = { _id: string; frontmatter: Buffer; body: Buffer } & Removable;

/**
 * Unreferenced since then; removed when that has lasted long enough. `StoredItems` of packages/storage has
 * the rules.
 */
type Removable = { unreachableSince?: Date };

const documentSchema = new Schema<PageDocumentRecord>(
  { _id: String, frontmatter: Buffer, body: Buffer, unreachableSince: Date },
  { collection: 'documents', versionKey: false },
);
documentSchema.index(
  { _id: 1, unreachableSince: 1 },
  { partialFilterExpression: { unreachableSince: { $exists: true } } },
);

export const PageDocument = mongoose.model('PageDocument', documentSchema);

/**
 * A node of a content tree: the children of one page, or the files or reusable contents of a revision.
 * Immutable, stored once per organization under the SHA-256 of its items, whose form packages/content
 * defines.
 */
export type ContentNodeRecord = { _id: string; items: unknown[] } & Removable;

const nodeSchema = new Schema<ContentNodeRecord>(
  { _id: String, items: [Schema.Types.Mixed], unreachableSince: Date },
  { collection: 'nodes', versionKey: false, minimize: false },
);
nodeSchema.index(
  { _id: 1, unreachableSince: 1 },
  { partialFilterExpression: { unreachableSince: { $exists: true } } },
);

export const ContentNode = mongoose.model('ContentNode', nodeSchema);

export type RevisionGitRecord = {
  oid: string;
  message: string;
  createdByDocs: boolean;
  url?: string;
  ref?: string;
  /**
   * The import's settings that shape its result: an import with the same commit and settings changes nothing.
   */
  projectDirectory: string;
  treeUrl?: string;
};

/** A change request at the time of its merge; later changes do not affect the revision. */
export type MergedFromRecord = Omit<
  ChangeRequestRecord,
  'organization' | 'agentTaskId' | 'contributors' | 'requestedReviewers' | 'version'
>;

/**
 * Raised when the same repository gives other titles or paths: then the next import of a commit that is known
 * reads it again.
 */
export const contentFormat = 1;

/** An immutable state of a space's content. */
export type RevisionRecord = {
  _id: string;
  organization: string;
  space: string;
  parents: string[];
  type: 'edits' | 'merge' | 'rollback' | 'update' | 'computed';
  createdBy: string;
  createdAt: Date;
  /** Hash of the revision's whole content; its ETag. */
  contentHash: string;
  /**
   * The `contentFormat` that its titles and paths were read in; absent in content of versions that had none.
   */
  format?: number;
  pages: string;
  files: string;
  reusableContents: string;
  /** Pairs, because a variable may have the name of a MongoDB operator. */
  variables: { name: string; value: string | number | boolean }[];
  /** `from` is an old path; `page` the id of its target page, absent without one. */
  redirects: { from: string; to: string; page?: string; anchor?: string }[];
  git?: RevisionGitRecord;
  /** Set on a merge. */
  mergedFrom?: MergedFromRecord;
};

/** The content of a revision: roots of its pages, files and reusable contents by hash, and its lists. */
export type ContentFields = Pick<
  RevisionRecord,
  'pages' | 'files' | 'reusableContents' | 'variables' | 'redirects'
>;

const revisionSchema = new Schema<RevisionRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    space: { type: String, required: true },
    parents: [String],
    type: { type: String, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    contentHash: { type: String, required: true },
    format: Number,
    pages: { type: String, required: true },
    files: { type: String, required: true },
    reusableContents: { type: String, required: true },
    variables: { type: [Schema.Types.Mixed], default: [] } as never,
    redirects: { type: [Schema.Types.Mixed], default: [] } as never,
    git: Schema.Types.Mixed as never,
    mergedFrom: Schema.Types.Mixed as never,
  },
  { collection: 'revisions', versionKey: false, minimize: false },
);
revisionSchema.index({ space: 1, createdAt: -1, _id: -1 });

export const Revision = mongoose.model('Revision', revisionSchema);
