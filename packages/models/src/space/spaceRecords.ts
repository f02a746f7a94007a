import type { Model } from 'mongoose';
import { ChangeRequest } from './changeRequest.ts';
import { Comment, CommentReply } from './comment.ts';
import { Revision } from './content.ts';
import { IndexedPage, SpaceIndex } from './contentIndex.ts';
import { GitCredential, GitRepository, GitSyncPoint } from './git.ts';
import { JobOutcome } from '../job/jobOutcome.ts';
import { Review } from './review.ts';
import { SpaceMentions } from './spaceMentions.ts';

/** For so long a deleted space can be restored; then it is removed for good. */
export const deletedSpaceRetentionDays = 7;

/**
 * Everything that belongs to one space and names it in its field `space`: it is removed with the space, and follows it into another organization
 * where it has a field `organization`. A model that is new and belongs to a space is added here, and nowhere else.
 *
 * Not here are the records of a space's jobs and what webhooks were told of it, which stay in their organization as the record of what happened until they expire, and
 * its place on sites: a site has to close the gap.
 */
export const spaceRecords = [
  Revision,
  GitCredential,
  GitRepository,
  GitSyncPoint,
  ChangeRequest,
  Comment,
  CommentReply,
  Review,
  JobOutcome,
  SpaceMentions,
  // Before its pages: without it the indexer does not write any more.
  SpaceIndex,
  IndexedPage,
] as unknown as readonly Model<SpaceOwned>[];

type SpaceOwned = { _id: string; space: string; organization?: string };

/** Those of them that name their organization too. */
export const spaceRecordsOfOrganization = spaceRecords.filter((model) => model.schema.path('organization') !== undefined);
