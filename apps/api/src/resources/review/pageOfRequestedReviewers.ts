import type { RequestedReviewer } from '@bindery/contract';
import type { ChangeRequestRecord, RequestedReviewerRecord } from '@bindery/models';
import { cutPage, type Page, type PageQuery } from '../../http/answer/paging.ts';
import { showUsers, type Viewer } from '../user/showUsers.ts';
import { presentRequestedReviewer } from './review.presenter.ts';

/**
 * The requested reviewers, the latest first. The record of the change request contains them, so a page needs
 * no query.
 */
export async function pageOfRequestedReviewers(
  { requestedReviewers }: ChangeRequestRecord,
  { limit, after }: PageQuery,
  viewer: Viewer,
): Promise<Page<RequestedReviewer>> {
  const keyOf = ({ createdAt, user }: RequestedReviewerRecord) => `${createdAt.toISOString()} ${user}`;
  const sorted = requestedReviewers.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  const rest = after ? sorted.filter((reviewer) => keyOf(reviewer) < String(after[0])) : sorted;
  const { items, next } = cutPage(rest, limit, (reviewer) => [keyOf(reviewer)]);
  const userOf = await showUsers(
    items.flatMap(({ user, requestedBy }) => [user, requestedBy]),
    viewer,
  );
  return {
    count: requestedReviewers.length,
    next,
    items: items.map((reviewer) => presentRequestedReviewer(reviewer, userOf)),
  };
}
