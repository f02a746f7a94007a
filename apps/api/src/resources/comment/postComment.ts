import type { PostComment } from '@bindery/contract';
import { Comment, type ClientSession, type CommentRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { recordOfBody } from './body.ts';
import { findTargetPage } from './targetPage.ts';
import { activeRevision, noteInThread, threadId, writeInThread, type Thread } from '../../records/thread.ts';

/**
 * Posts a comment.
 *
 * @throws invalid_request when the content of the thread has no such page, or the page no such block
 */
export async function postComment(
  thread: Thread,
  postedBy: string,
  { body, page, node, tableCell }: PostComment,
): Promise<CommentRecord> {
  const target = {
    revision: activeRevision(thread),
    page: page === undefined ? undefined : await findTargetPage(thread, page, node),
    node,
    tableCell,
  };
  return writeInThread(thread, (session) =>
    insertComment(thread, { postedBy, body: recordOfBody(body), target }, session),
  );
}

/** Inserts a new, open comment in the caller's transaction and updates the counters. */
export async function insertComment(
  thread: Thread,
  fields: Pick<CommentRecord, 'postedBy' | 'body' | 'target'>,
  session: ClientSession,
): Promise<CommentRecord> {
  const at = new Date();
  const comment: CommentRecord = {
    _id: newId(),
    space: thread.space._id,
    changeRequest: thread.changeRequest?._id,
    thread: threadId(thread),
    ...fields,
    postedAt: at,
    reactions: [],
    status: 'open',
    replies: 0,
    repliers: [],
    version: 1,
  };
  await Comment.create([comment], { session });
  await noteInThread(thread, { at, postedBy: fields.postedBy, opened: 1 }, session);
  return comment;
}
