import { Id, notFound, type Role } from '@bindery/contract';
import {
  Comment,
  CommentReply,
  type CommentRecord,
  type CommentReplyRecord,
  type MemberRecord,
} from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import type { Scope } from '../../http/scope.ts';
import { commentPermissions } from '../../permissions/comment.ts';
import { qualified } from '../../permissions/role.ts';
import { inSpace } from '../space/space.scope.ts';
import { threadId, type Thread } from '../../records/thread.ts';
import { versionOf } from '../../records/versionOf.ts';

/** The thread of the main content of a space. */
export const inMainThread = inSpace.scope({
  name: 'Space',
  path: '',
  params: {},
  load: async ({ space }): Promise<{ thread: Thread }> => ({ thread: { space } }),
  permissions: () => ({}),
});

/** Scope that comment routes can be added to. */
export type InThread = Scope<
  { actor: Actor; member: MemberRecord; role: Role; thread: Thread },
  'space.view' | 'space.comment'
>;

/** A comment of a thread. Comments of other threads do not exist here, even in the same space. */
export function inCommentOf(on: InThread) {
  return on.scope({
    name: 'Comment',
    path: '/comments/:commentId',
    params: { commentId: Id },
    load: async ({ thread, params }) => {
      const comment = await Comment.findOne({
        _id: params.commentId,
        thread: threadId(thread),
      }).lean<CommentRecord>();
      if (!comment) throw notFound('comment', params.commentId);
      return { comment };
    },
    permissions: ({ actor, role, comment }) =>
      qualified('comment', commentPermissions({ role, user: actor.user.id, postedBy: comment.postedBy })),
    version: ({ comment }) => versionOf(Comment, { _id: comment._id }),
  });
}

export function inReplyOf(on: ReturnType<typeof inCommentOf>) {
  return on.scope({
    name: 'Comment reply',
    path: '/replies/:commentReplyId',
    params: { commentReplyId: Id },
    load: async ({ comment, params }) => {
      const commentReply = await CommentReply.findOne({
        _id: params.commentReplyId,
        comment: comment._id,
      }).lean<CommentReplyRecord>();
      if (!commentReply) throw notFound('comment reply', params.commentReplyId);
      return { commentReply };
    },
    permissions: ({ actor, role, commentReply }) =>
      qualified('reply', commentPermissions({ role, user: actor.user.id, postedBy: commentReply.postedBy })),
    version: ({ commentReply }) => versionOf(CommentReply, { _id: commentReply._id }),
  });
}
