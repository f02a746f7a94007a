import { notFound, type GivenBody } from '@bindery/contract';
import { Comment, CommentReply, type CommentRecord, type CommentReplyRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { recordOfBody } from './body.ts';
import { noteInThread, writeInThread, type Thread } from '../../records/thread.ts';

/** Posts a reply and updates the counters of its comment. */
export async function postReply(
  { _id: comment, thread: threadOfComment, space }: CommentRecord,
  { thread, postedBy, body }: { thread: Thread; postedBy: string; body: GivenBody },
): Promise<CommentReplyRecord> {
  return writeInThread(thread, async (session) => {
    const current = await Comment.findById(comment).session(session).lean<CommentRecord>();
    if (!current) throw notFound('comment', comment);
    const at = new Date();
    const reply: CommentReplyRecord = {
      _id: newId(),
      comment,
      space,
      thread: threadOfComment,
      postedBy,
      postedAt: at,
      body: recordOfBody(body),
      reactions: [],
      version: 1,
    };
    await CommentReply.create([reply], { session });
    const repliers = countRepliers(current.repliers, [reply]);
    await Comment.updateOne({ _id: comment }, { $set: { repliers }, $inc: { replies: 1 } }, { session });
    await noteInThread(thread, { at, postedBy }, session);
    return reply;
  });
}

/**
 * Adds replies to the counters per replier: number of replies and time of the last one, in the order of the
 * first replies.
 *
 * @param replies  the new replies, oldest first
 */
export function countRepliers(
  repliers: CommentRecord['repliers'],
  replies: readonly Pick<CommentReplyRecord, 'postedBy' | 'postedAt'>[],
): CommentRecord['repliers'] {
  const counted = new Map(repliers.map((replier) => [replier.user, replier]));
  for (const { postedBy: user, postedAt: updatedAt } of replies) {
    counted.set(user, { user, count: (counted.get(user)?.count ?? 0) + 1, updatedAt });
  }
  return [...counted.values()];
}
