import type { ChangeRequestStatus } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/**
 * The contributions of a user, by kind; creating a change request is the first edit. Deleting a comment does
 * not reduce the count.
 */
export type ContributionRecord = {
  user: string;
  actionType: 'edit' | 'comment';
  count: number;
  updatedAt: Date;
};

export type RequestedReviewerRecord = {
  user: string;
  requestedBy: string;
  revision: string;
  createdAt: Date;
};

/**
 * The commit of a change request with the content of a branch. When the change request is merged, the space
 * has the content of that commit, so the sync point moves to it.
 */
export type ChangeRequestGitRecord = {
  /** Id of the sync point, and its commit when the change request was opened. */
  point: string;
  since: string;
  commit: string;
  /** Oid of the tree of the project directory in that commit. */
  folder?: string;
  /** The revision with the content of the branch. */
  revision: string;
};

/** The folder that a change request got its content from last. */
export type ChangeRequestFolderRecord = {
  /** The name that the user gave to the folder. */
  name: string;
  /** The revision with the content of the folder. */
  revision: string;
  /**
   * The main content that the folder knew when the change request first got its content: the revision of an
   * earlier change request with it. Edits of the main content since then may be overridden.
   */
  ancestor?: string;
};

/** Changes to a space's content, for review before they are merged. */
export type ChangeRequestRecord = {
  _id: string;
  organization: string;
  space: string;
  /** Sequential number within the space, from `lastChangeRequest` of the space; never reused. */
  number: number;
  status: ChangeRequestStatus;
  subject: string;
  agentTaskId?: string;
  /** Set if it has the content of a branch that could not be merged without conflicts. */
  git?: ChangeRequestGitRecord;
  /** Set if it has the content of an uploaded folder. */
  folder?: ChangeRequestFolderRecord;
  /** Id of the active revision of its content. */
  revision: string;
  revisionInitial: string;
  revisionMergedAncestor?: string;
  revisionMerged?: string;
  /** The number of open comments, maintained by the writes that change it. */
  comments: number;
  contributors: ContributionRecord[];
  requestedReviewers: RequestedReviewerRecord[];
  createdBy: string;
  createdAt: Date;
  /** The time of the last write to it, its content or its comments. */
  updatedAt: Date;
  /** Counts the changes of its own fields, for `If-Match`. */
  version: number;
};

const contributionSchema = new Schema<ContributionRecord>(
  {
    user: { type: String, required: true },
    actionType: { type: String, required: true },
    count: { type: Number, required: true },
    updatedAt: { type: Date, required: true },
  },
  { _id: false },
);

const requestedReviewerSchema = new Schema<RequestedReviewerRecord>(
  {
    user: { type: String, required: true },
    requestedBy: { type: String, required: true },
    revision: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { _id: false },
);

const schema = new Schema<ChangeRequestRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    space: { type: String, required: true },
    number: { type: Number, required: true },
    status: { type: String, required: true },
    subject: { type: String, default: '' },
    agentTaskId: String,
    git: Schema.Types.Mixed as never,
    folder: Schema.Types.Mixed as never,
    revision: { type: String, required: true },
    revisionInitial: { type: String, required: true },
    revisionMergedAncestor: String,
    revisionMerged: String,
    comments: { type: Number, default: 0 },
    contributors: { type: [contributionSchema], default: [] } as never,
    requestedReviewers: { type: [requestedReviewerSchema], default: [] } as never,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    version: { type: Number, default: 1 },
  },
  { collection: 'changeRequests', versionKey: false },
);
schema.index({ space: 1, number: 1 }, { unique: true });
// The last one that a user's folder was pushed to.
schema.index(
  { space: 1, createdBy: 1, 'folder.name': 1, number: -1 },
  { partialFilterExpression: { 'folder.name': { $exists: true } } },
);
schema.index({ 'git.point': 1 }, { partialFilterExpression: { 'git.point': { $exists: true } } });
// Each list can be filtered by person, and is sorted in two ways.
for (const place of ['space', 'organization']) {
  for (const person of [undefined, 'createdBy', 'contributors.user', 'requestedReviewers.user']) {
    for (const time of ['updatedAt', 'createdAt']) {
      schema.index({
        [place]: 1,
        status: 1,
        ...(person !== undefined && { [person]: 1 }),
        [time]: -1,
        _id: -1,
      });
    }
  }
}

export const ChangeRequest = mongoose.model('ChangeRequest', schema);

/**
 * Computes the change of the space's counters for a change of status, as an `$inc` of the space; `from` is
 * undefined for a new change request.
 */
export function statusCounters(
  from: ChangeRequestStatus | undefined,
  to: ChangeRequestStatus,
): Record<string, number> {
  const counters: Record<string, number> = from === undefined ? { 'counts.changeRequests': 1 } : {};
  const count = (status: ChangeRequestStatus | undefined, by: number) => {
    const name = status && counterOf[status];
    if (name !== undefined) counters[name] = (counters[name] ?? 0) + by;
  };
  count(from, -1);
  count(to, 1);
  return counters;
}

const counterOf: Partial<Record<ChangeRequestStatus, string>> = {
  open: 'counts.changeRequestsOpen',
  draft: 'counts.changeRequestsDraft',
};

/**
 * Records in a change request a write to its content or its comments.
 *
 * @param by  the user, if the write makes them a contributor
 * @param comments  the change in the number of open comments
 */
export async function touchChangeRequest(
  id: string,
  {
    at,
    by,
    comments = 0,
  }: { at: Date; by?: Pick<ContributionRecord, 'user' | 'actionType'>; comments?: number },
  session: ClientSession,
): Promise<void> {
  const common = { $max: { updatedAt: at }, ...(comments !== 0 && { $inc: { comments } }) };
  if (!by) {
    await ChangeRequest.updateOne({ _id: id }, common, { session });
    return;
  }
  const { matchedCount } = await ChangeRequest.updateOne(
    { _id: id, contributors: { $elemMatch: { user: by.user, actionType: by.actionType } } },
    {
      $inc: { 'contributors.$.count': 1, ...(comments !== 0 && { comments }) },
      $max: { updatedAt: at, 'contributors.$.updatedAt': at },
    },
    { session },
  );
  if (matchedCount === 1) return;
  const { user, actionType } = by;
  await ChangeRequest.updateOne(
    { _id: id },
    { ...common, $push: { contributors: { user, actionType, count: 1, updatedAt: at } } },
    { session },
  );
}
