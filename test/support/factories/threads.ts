import {
  ChangeRequest,
  Space,
  statusCounters,
  withTransaction,
  type ChangeRequestRecord,
  type CommentRecord,
  type CommentReplyRecord,
  type SpaceRecord,
} from '@bindery/models';
import { createChangeRequest } from '../../../apps/api/src/resources/change-request/createChangeRequest.ts';
import { insertComment } from '../../../apps/api/src/resources/comment/postComment.ts';
import { postReply } from '../../../apps/api/src/resources/comment/postReply.ts';
import { activeRevision, writeInThread, type Thread } from '../../../apps/api/src/records/thread.ts';

/**
 * Creates a change request like the API; other fields are written afterwards, and the counters of its space
 * follow its status.
 */
export async function buildChangeRequest(
  space: SpaceRecord,
  { createdBy = 'nobody', subject = 'Change', ...fields }: Partial<ChangeRequestRecord> = {},
): Promise<ChangeRequestRecord> {
  const { changeRequest } = await createChangeRequest({ space: space._id, createdBy, subject });
  if (Object.keys(fields).length === 0) return changeRequest;
  await withTransaction(async (session) => {
    await ChangeRequest.updateOne({ _id: changeRequest._id }, { $set: fields }, { session });
    if (fields.status)
      await Space.updateOne(
        { _id: space._id },
        { $inc: statusCounters('draft', fields.status) },
        { session },
      );
  });
  return { ...changeRequest, ...fields };
}

/** Creates a comment on the main content of a space or on a change request, like the API. */
export async function buildComment(
  thread: Thread,
  {
    postedBy = 'nobody',
    body = { markdown: 'Comment' },
    target = { revision: activeRevision(thread) },
  }: Partial<CommentRecord> = {},
): Promise<CommentRecord> {
  return writeInThread(thread, (session) => insertComment(thread, { postedBy, body, target }, session));
}

export async function buildReply(
  thread: Thread,
  comment: CommentRecord,
  { postedBy = 'nobody', markdown = 'Reply' }: { postedBy?: string; markdown?: string } = {},
): Promise<CommentReplyRecord> {
  return postReply(comment, { thread, postedBy, body: { markdown } });
}
