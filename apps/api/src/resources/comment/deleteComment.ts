import { notFound } from '@bindery/contract';
import { Comment, CommentReply, type CommentRecord, type CommentReplyRecord } from '@bindery/models';
import { countRepliers } from './postReply.ts';
import { noteInThread, writeInThread, type Thread } from '../../records/thread.ts';

/** Deletes a comment with its replies. */
export async function deleteComment(id: string, thread: Thread): Promise<void> {
  await writeInThread(thread, async (session) => {
    const gone = await Comment.findOneAndDelete({ _id: id }, { session }).lean<CommentRecord>();
    if (!gone) throw notFound('comment', id);
    await CommentReply.deleteMany({ comment: id }, { session });
    await noteInThread(thread, { at: new Date(), opened: gone.status === 'open' ? -1 : 0 }, session);
  });
}

/** Deletes a reply and updates the counters of its comment. */
export async function deleteReply({ _id: id, comment }: CommentReplyRecord, thread: Thread): Promise<void> {
  await writeInThread(thread, async (session) => {
    const gone = await CommentReply.findOneAndDelete({ _id: id }, { session }).lean<CommentReplyRecord>();
    if (!gone) throw notFound('comment reply', id);
    const left = await CommentReply.find({ comment }, { postedBy: 1, postedAt: 1 })
      .sort({ postedAt: 1, _id: 1 })
      .session(session)
      .lean<CommentReplyRecord[]>();
    await Comment.updateOne(
      { _id: comment },
      { $set: { replies: left.length, repliers: countRepliers([], left) } },
      { session },
    );
    await noteInThread(thread, { at: new Date() }, session);
  });
}
