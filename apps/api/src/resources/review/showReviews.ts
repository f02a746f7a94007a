import type { Review, ReviewsQuery } from '@bindery/contract';
import {
  Comment,
  Review as ReviewModel,
  type ChangeRequestRecord,
  type CommentRecord,
  type ReviewRecord,
} from '@bindery/models';
import type { z } from 'zod';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { showComments, viewerOf, type View } from '../comment/showComments.ts';
import { findPage } from '../../records/findPage.ts';
import { showUsers } from '../user/showUsers.ts';
import { presentReview } from './review.presenter.ts';

/** The reviews of a change request, the newest first. */
export async function pageOfReviews(
  { _id: changeRequest }: ChangeRequestRecord,
  { limit, after, outdated }: PageQuery & z.output<typeof ReviewsQuery>,
  view: View,
): Promise<Page<Review>> {
  const filter = { changeRequest, ...(outdated !== undefined && { isOutdated: outdated }) };
  const { rows, ...page } = await findPage<ReviewRecord>(ReviewModel, filter, { limit, after });
  return { ...page, items: await showReviews(rows, view) };
}

/** Presents reviews with their comments, in the given order. */
async function showReviews(reviews: readonly ReviewRecord[], view: View): Promise<Review[]> {
  const ids = reviews.flatMap(({ comment }) => (comment === undefined ? [] : [comment]));
  const [userOf, comments] = await Promise.all([
    showUsers(
      reviews.flatMap(({ reviewer, requestedBy }) =>
        requestedBy === undefined ? [reviewer] : [reviewer, requestedBy],
      ),
      viewerOf(view),
    ),
    Comment.find({ _id: { $in: ids } }).lean<CommentRecord[]>(),
  ]);
  const shown = new Map((await showComments(comments, view)).map((comment) => [comment.id, comment]));
  return reviews.map((review) =>
    presentReview(review, { links: view.links, userOf, comment: shown.get(review.comment ?? '') }),
  );
}

/** Presents one review. */
export async function showReview(review: ReviewRecord, view: View): Promise<Review> {
  const [shown] = await showReviews([review], view);
  return shown as Review;
}
