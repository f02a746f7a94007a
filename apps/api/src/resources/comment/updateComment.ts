import { isDeepStrictEqual } from 'node:util';
import { notFound, type UpdateComment, type UpdateReply } from '@bindery/contract';
import {
  Comment,
  CommentReply,
  type CommentRecord,
  type CommentReplyRecord,
  type RemarkRecord,
} from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';
import { applyReactions } from './applyReactions.ts';
import { recordOfBody } from './body.ts';
import { noteInThread, writeInThread, type Thread } from '../../records/thread.ts';

type Changer = { thread: Thread; user: string };

/**
 * Changes a comment: its content, the caller's reactions, and whether it is resolved. Updates the count of
 * open comments.
 */
export async function updateComment(
  id: string,
  change: UpdateComment,
  { thread, user }: Changer,
): Promise<CommentRecord> {
  return writeInThread(thread, async (session) => {
    const current = await Comment.findById(id).session(session).lean<CommentRecord>();
    if (!current) throw notFound('comment', id);
    const at = new Date();
    const { resolved = current.status === 'resolved' } = change;
    const status: CommentRecord['status'] = resolved ? 'resolved' : 'open';
    const changes = {
      ...changedRemark(current, change, { user, at }),
      ...(status !== current.status && {
        status,
        resolvedAt: status === 'resolved' ? at : undefined,
        resolvedBy: status === 'resolved' ? user : undefined,
      }),
    };
    if (Object.keys(changes).length === 0) return current;
    const opened = Number(status === 'open') - Number(current.status === 'open');
    await noteInThread(thread, { at, opened }, session);
    return changeRecord<CommentRecord>(Comment, current, changes, { session });
  });
}

export async function updateReply(
  id: string,
  change: UpdateReply,
  { thread, user }: Changer,
): Promise<CommentReplyRecord> {
  return writeInThread(thread, async (session) => {
    const current = await CommentReply.findById(id).session(session).lean<CommentReplyRecord>();
    if (!current) throw notFound('comment reply', id);
    const at = new Date();
    const changes = changedRemark(current, change, { user, at });
    if (Object.keys(changes).length === 0) return current;
    await noteInThread(thread, { at }, session);
    return changeRecord<CommentReplyRecord>(CommentReply, current, changes, { session });
  });
}

/** The real changes: the same content again is not an edit, and a repeated reaction is not a second one. */
function changedRemark(
  { body, reactions }: RemarkRecord,
  change: UpdateReply,
  { user, at }: { user: string; at: Date },
): Partial<Pick<RemarkRecord, 'body' | 'editedAt' | 'reactions'>> {
  const newBody = change.body && recordOfBody(change.body);
  const newReactions = applyReactions(reactions, {
    user,
    added: change.addedReactions,
    removed: change.removedReactions,
    at,
  });
  return {
    ...(newBody && !isDeepStrictEqual(newBody, body) && { body: newBody, editedAt: at }),
    ...(!isDeepStrictEqual(newReactions, reactions) && { reactions: newReactions }),
  };
}
