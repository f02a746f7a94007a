import type { Comment, CommentReply, CommentsQuery } from '@bindery/contract';
import {
  Comment as CommentModel,
  CommentReply as CommentReplyModel,
  type CommentRecord,
  type CommentReplyRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import type { z } from 'zod';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { findPage, type Order } from '../../records/findPage.ts';
import { showComments, showReplies, type View } from './showComments.ts';
import { threadId } from '../../records/thread.ts';

const byPosting = (direction: 1 | -1): Order => [
  ['postedAt', direction],
  ['_id', direction],
];

/**
 * The matching comments of a thread. Comments on change requests do not belong to the thread of their space.
 */
export async function pageOfComments(
  { limit, after, order, status, targetPage, authors }: PageQuery & z.output<typeof CommentsQuery>,
  view: View,
): Promise<Page<Comment>> {
  const filter = {
    thread: threadId(view.thread),
    // The statuses are listed by name, so that every list can use the indexes that begin with the status.
    status: { $in: status === 'all' ? ['open', 'resolved'] : [status] },
    ...compact({ 'target.page.id': targetPage, postedBy: authors && { $in: authors } }),
  };
  const { rows, ...page } = await findPage<CommentRecord>(CommentModel, filter, {
    limit,
    after,
    order: byPosting(order === 'asc' ? 1 : -1),
  });
  return { ...page, items: await showComments(rows, view) };
}

/** The replies to a comment, the oldest first. */
export async function pageOfReplies(
  { _id: comment }: CommentRecord,
  { limit, after }: PageQuery,
  view: View,
): Promise<Page<CommentReply>> {
  const { rows, ...page } = await findPage<CommentReplyRecord>(
    CommentReplyModel,
    { comment },
    { limit, after, order: byPosting(1) },
  );
  return { ...page, items: await showReplies(rows, view) };
}
