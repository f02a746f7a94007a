import { z } from 'zod';
import { ChangeRequestSubject } from './changeRequest.ts';
import { BodyQuery, Comment, NewBody } from './comment.ts';
import { fromWord, Id } from '../input/input.ts';
import { User } from '../organization/user.ts';

const ReviewStatus = z.enum(['changes-requested', 'approved']).meta({ id: 'ChangeRequestReviewStatus' });

export const Review = z
  .object({
    object: z.literal('change-request-review'),
    id: z.string(),
    revision: z.string().describe('The content that was reviewed.'),
    reviewer: User,
    requestedBy: User.optional().describe('Who had asked for it; absent when nobody had.'),
    status: ReviewStatus,
    outdated: z.boolean().describe('Whether the same reviewer was asked again or has reviewed again since.'),
    comment: Comment.optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'ChangeRequestReview' });
export type Review = z.infer<typeof Review>;

export const SubmitReview = z.object({ status: ReviewStatus, comment: NewBody.optional() }).meta({ id: 'SubmitReview' });
export type SubmitReview = z.infer<typeof SubmitReview>;

export const ReviewsQuery = BodyQuery.extend({
  outdated: fromWord(z.boolean().optional()).describe('Only those that are outdated, or only those that are not.'),
});

export const RequestedReviewer = z
  .object({
    object: z.literal('change-request-requested-reviewer'),
    kind: z.literal('user'),
    user: User,
    requestedBy: User,
    revision: z.string().describe('The content when it was asked for.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ChangeRequestRequestedReviewer' });
export type RequestedReviewer = z.infer<typeof RequestedReviewer>;

export const RequestReviewers = z
  .object({
    users: z.array(Id).min(1).max(100).describe('Ids of members who see the space.'),
    subject: ChangeRequestSubject.optional().describe('Also changes the subject of the change request.'),
  })
  .meta({ id: 'RequestReviewers' });
export type RequestReviewers = z.infer<typeof RequestReviewers>;
