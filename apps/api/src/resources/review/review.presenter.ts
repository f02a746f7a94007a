import type { Comment, RequestedReviewer, Review, User } from '@bindery/contract';
import type { RequestedReviewerRecord, ReviewRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';

/** @param comment  the comment of the review; undefined without one, or when it was deleted */
export function presentReview(
  review: ReviewRecord,
  { links, userOf, comment }: { links: Links; userOf: (id: string) => User; comment: Comment | undefined },
): Review {
  const { _id: id, space, changeRequest, requestedBy } = review;
  return {
    object: 'change-request-review',
    id,
    revision: review.revision,
    reviewer: userOf(review.reviewer),
    requestedBy: requestedBy === undefined ? undefined : userOf(requestedBy),
    status: review.status,
    outdated: review.isOutdated,
    comment,
    createdAt: review.createdAt.toISOString(),
    updatedAt: review.updatedAt.toISOString(),
    urls: { location: links.api(`/spaces/${space}/change-requests/${changeRequest}/reviews/${id}`) },
  };
}

export function presentRequestedReviewer(
  { user, requestedBy, revision, createdAt }: RequestedReviewerRecord,
  userOf: (id: string) => User,
): RequestedReviewer {
  return {
    object: 'change-request-requested-reviewer',
    kind: 'user',
    user: userOf(user),
    requestedBy: userOf(requestedBy),
    revision,
    createdAt: createdAt.toISOString(),
  };
}
