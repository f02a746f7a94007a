import { notFound, type SubmitReview } from '@bindery/contract';
import {
  ChangeRequest,
  Review,
  touchChangeRequest,
  type ChangeRequestRecord,
  type ReviewRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { recordOfBody } from '../comment/body.ts';
import { insertComment } from '../comment/postComment.ts';
import { writeInThread, type Thread } from '../../records/thread.ts';

/**
 * Stores a review of the present content, with an optional comment. The reviewer's earlier reviews become
 * outdated.
 */
export async function submitReview(
  { _id: changeRequest }: ChangeRequestRecord,
  { thread, reviewer, status, comment: body }: SubmitReview & { thread: Thread; reviewer: string },
): Promise<ReviewRecord> {
  return writeInThread(thread, async (session) => {
    const current = await ChangeRequest.findById(changeRequest).session(session).lean<ChangeRequestRecord>();
    if (!current) throw notFound('change request', changeRequest);
    const { revision, space, requestedReviewers } = current;
    const id = newId();
    const now = new Date();
    const comment =
      body &&
      (await insertComment(
        thread,
        { postedBy: reviewer, body: recordOfBody(body), target: { revision, review: id } },
        session,
      ));
    await Review.updateMany(
      { changeRequest, reviewer, isOutdated: false },
      { $set: { isOutdated: true, updatedAt: now } },
      { session },
    );
    const requestedBy = requestedReviewers.find(({ user }) => user === reviewer)?.requestedBy;
    const review: ReviewRecord = {
      _id: id,
      space,
      changeRequest,
      revision,
      reviewer,
      requestedBy,
      status,
      isOutdated: false,
      comment: comment?._id,
      createdAt: now,
      updatedAt: now,
    };
    await Review.create([review], { session });
    if (!comment) await touchChangeRequest(changeRequest, { at: now }, session);
    return review;
  });
}
