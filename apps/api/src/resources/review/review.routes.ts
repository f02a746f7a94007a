import {
  BodyQuery,
  Id,
  notFound,
  RequestedReviewer,
  RequestReviewers,
  Review,
  ReviewsQuery,
  SubmitReview,
} from '@bindery/contract';
import { ChangeRequest, Review as ReviewModel, singleWrite, type ReviewRecord } from '@bindery/models';
import { z } from 'zod';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { refuseHiddenMentions } from '../comment/refuseHiddenMentions.ts';
import { viewerOf } from '../comment/showComments.ts';
import { showUsers } from '../user/showUsers.ts';
import { pageOfRequestedReviewers } from './pageOfRequestedReviewers.ts';
import { requestReviewers } from './requestReviewers.ts';
import { presentRequestedReviewer } from './review.presenter.ts';
import { pageOfReviews, showReview } from './showReviews.ts';
import { submitReview } from './submitReview.ts';

const tags = ['Review'];

export const reviewRoutes = [
  inChangeRequest.list(
    '/reviews',
    {
      operationId: 'getReviewsByChangeRequestId',
      summary: 'List the reviews of a change request',
      permission: 'space.view',
      tags,
      query: ReviewsQuery,
      item: Review,
    },
    async ({ platform: { links }, changeRequest, thread, actor, role, query }) =>
      pageOfReviews(changeRequest, query, { links, thread, actor, role, format: query.format }),
  ),

  inChangeRequest.post(
    '/reviews',
    {
      operationId: 'submitChangeRequestReview',
      summary: 'Approve a change request, or ask for changes',
      permission: 'changeRequest.review',
      tags,
      query: BodyQuery,
      body: SubmitReview,
      response: Review,
      status: 201,
      idempotent: true,
    },
    async ({ platform: { links }, changeRequest, thread, actor, member, role, query, body }) => {
      const { status, comment } = body;
      await refuseHiddenMentions(comment ?? {}, member);
      const review = await submitReview(changeRequest, { thread, reviewer: actor.user.id, status, comment });
      return showReview(review, { links, thread, actor, role, format: query.format });
    },
  ),

  inChangeRequest.get(
    '/reviews/:reviewId',
    {
      operationId: 'getChangeRequestReviewById',
      summary: 'Get a review of a change request',
      permission: 'space.view',
      tags,
      params: { reviewId: Id },
      query: BodyQuery,
      response: Review,
    },
    async ({ platform: { links }, changeRequest, thread, actor, role, params, query }) => {
      const review = await ReviewModel.findOne({
        _id: params.reviewId,
        changeRequest: changeRequest._id,
      }).lean<ReviewRecord>();
      if (!review) throw notFound('review', params.reviewId);
      return showReview(review, { links, thread, actor, role, format: query.format });
    },
  ),

  inChangeRequest.list(
    '/requested-reviewers',
    {
      operationId: 'getRequestedReviewersByChangeRequestId',
      summary: 'List the requested reviewers of a change request',
      permission: 'space.view',
      tags,
      item: RequestedReviewer,
    },
    async ({ platform: { links }, changeRequest, member, query }) =>
      pageOfRequestedReviewers(changeRequest, query, { ...member, links }),
  ),

  inChangeRequest.post(
    '/requested-reviewers',
    {
      operationId: 'requestReviewersForChangeRequest',
      summary: 'Ask members to review a change request',
      permission: 'space.review',
      tags,
      body: RequestReviewers,
      response: z.object({ users: z.array(RequestedReviewer) }),
      idempotent: true,
    },
    async ({ platform: { links }, changeRequest, thread, actor, body }) => {
      const requested = await requestReviewers(changeRequest, body, { thread, requestedBy: actor.user.id });
      const userOf = await showUsers(
        [actor.user.id, ...requested.map(({ user }) => user)],
        viewerOf({ links, actor, thread }),
      );
      return { users: requested.map((reviewer) => presentRequestedReviewer(reviewer, userOf)) };
    },
  ),

  inChangeRequest.delete(
    '/requested-reviewers/:userId',
    {
      operationId: 'removeRequestedReviewerFromChangeRequest',
      summary: 'Withdraw a review request',
      permission: 'space.review',
      tags,
      params: { userId: Id },
    },
    async ({ changeRequest, params: { userId } }) => {
      await singleWrite((session) =>
        ChangeRequest.updateOne(
          { _id: changeRequest._id, 'requestedReviewers.user': userId },
          {
            $pull: { requestedReviewers: { user: userId } },
            $set: { updatedAt: new Date() },
            $inc: { version: 1 },
          },
          { session },
        ),
      );
    },
  ),
];
