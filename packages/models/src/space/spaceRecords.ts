import type { Model } from 'mongoose';
import { ChangeRequest } from './changeRequest.ts';
import { Comment, CommentReply } from './comment.ts';
import { Revision } from './content.ts';
import { IndexedPage, SpaceIndex } from './contentIndex.ts';
import { GitCredential, GitRepository, GitSyncPoint } from './git.ts';
import { GitHook } from './gitHook.ts';
import { JobOutcome } from '../job/jobOutcome.ts';
import { PageHistory, PageHistoryPart } from './pageHistory.ts';
import { Review } from './review.ts';
import { SpaceMentions } from './spaceMentions.ts';

/** How many days a deleted space can be restored; then it is removed for good. */
export const deletedSpaceRetentionDays = 7;

/**
 * All models whose records belong to one space, named in their field `space`: they are removed with the
 * space, and follow it into another organization if they have a field `organization`. A new model of this
 * kind is added only here.
 *
 * Not included: the records of a space's jobs and of its webhook events, which stay in their organization
 * until they expire, as its history; and its site spaces, because the site must close the gap.
 */
export const spaceRecords = [
  Revision,
  GitCredential,
  GitHook,
  GitRepository,
  GitSyncPoint,
  PageHistory,
  PageHistoryPart,
  ChangeRequest,
  Comment,
  CommentReply,
  Review,
  JobOutcome,
  SpaceMentions,
  // Before the pages: without this record the indexer stops writing.
  SpaceIndex,
  IndexedPage,
] as unknown as readonly Model<SpaceOwned>[];

type SpaceOwned = { _id: string; space: string; organization?: string };

/** The models that also have a field `organization`. */
export const spaceRecordsOfOrganization = spaceRecords.filter(
  (model) => model.schema.path('organization') !== undefined,
);
