import { z } from 'zod';
import { ChangeRequestSubject } from './changeRequest.ts';
import { BodyQuery, Comment, NewBody } from './comment.ts';
import { fromWord, Id } from '../input/input.ts';
import { User } from '../user/user.ts';

const ReviewStatus = z.enum(['changes-requested', 'approved']).meta({ id: 'ChangeRequestReviewStatus' });

export const Review = z
  .object({
    object: z.literal('change-request-review'),
    id: z.string(),
    revision: z.string().describe('The reviewed revision.'),
    reviewer: User,
    requestedBy: User.optional().describe('The user who requested it; absent if nobody did.'),
    status: ReviewStatus,
    outdated: z
      .boolean()
      .describe('Whether the same reviewer was asked again, or reviewed again, since then.'),
    comment: Comment.optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'ChangeRequestReview' });
export type Review = z.infer<typeof Review>;

export const SubmitReview = z
  .object({ status: ReviewStatus, comment: NewBody.optional() })
  .meta({ id: 'SubmitReview' });
export type SubmitReview = z.infer<typeof SubmitReview>;

export const ReviewsQuery = BodyQuery.extend({
  outdated: fromWord(z.boolean().optional()).describe(
    'true lists outdated comments, false lists current ones.',
  ),
});

export const RequestedReviewer = z
  .object({
    object: z.literal('change-request-requested-reviewer'),
    kind: z.literal('user'),
    user: User,
    requestedBy: User,
    revision: z.string().describe('The revision at the time of the request.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ChangeRequestRequestedReviewer' });
export type RequestedReviewer = z.infer<typeof RequestedReviewer>;

export const RequestReviewers = z
  .object({
    users: z.array(Id).min(1).max(100).describe('Ids of members who can view the space.'),
    subject: ChangeRequestSubject.optional().describe('Also changes the subject of the change request.'),
  })
  .meta({ id: 'RequestReviewers' });
export type RequestReviewers = z.infer<typeof RequestReviewers>;
