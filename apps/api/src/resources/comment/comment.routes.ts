import {
  BodyQuery,
  Comment,
  CommentReply,
  CommentsQuery,
  forbidden,
  PostComment,
  PostReply,
  UpdateComment,
  UpdateReply,
} from '@bindery/contract';
import type { Route } from '../../http/scope.ts';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { inCommentOf, inMainThread, inReplyOf, type InThread } from './comment.scope.ts';
import { deleteComment, deleteReply } from './deleteComment.ts';
import { pageOfComments, pageOfReplies } from './pageOfComments.ts';
import { postComment } from './postComment.ts';
import { postReply } from './postReply.ts';
import { refuseHiddenMentions } from './refuseHiddenMentions.ts';
import { showComment, showReply } from './showComments.ts';
import { updateComment, updateReply } from './updateComment.ts';

const tags = ['Comment'];

/** Comments work the same everywhere; only their thread differs. */
function commentRoutes(on: InThread, name: 'Space' | 'ChangeRequest'): Route[] {
  const inComment = inCommentOf(on);
  return [
    on.list(
      '/comments',
      {
        operationId: `listCommentsIn${name}`,
        summary: 'List the comments, by default the newest first',
        permission: 'space.view',
        tags,
        query: CommentsQuery,
        item: Comment,
      },
      async ({ platform: { links }, thread, actor, role, query }) =>
        pageOfComments(query, { links, thread, actor, role, format: query.format }),
    ),

    on.post(
      '/comments',
      {
        operationId: `postCommentIn${name}`,
        summary: 'Post a comment on a page or on the content as a whole',
        permission: 'space.comment',
        tags,
        query: BodyQuery,
        body: PostComment,
        response: Comment,
        idempotent: true,
      },
      async ({ platform: { links }, thread, actor, member, role, query, body }) => {
        await refuseHiddenMentions(body.body, member);
        const posted = await postComment(thread, actor.user.id, body);
        return showComment(posted, { links, thread, actor, role, format: query.format });
      },
    ),

    inComment.get(
      '',
      {
        operationId: `getCommentIn${name}`,
        summary: 'Get a comment',
        permission: 'space.view',
        tags,
        query: BodyQuery,
        response: Comment,
        etag: true,
      },
      async ({ platform: { links }, thread, actor, role, comment, query, reply }) => {
        reply.version(comment.version);
        return showComment(comment, { links, thread, actor, role, format: query.format });
      },
    ),

    inComment.put(
      '',
      {
        operationId: `updateCommentIn${name}`,
        summary: 'Change a comment, resolve it, or react to it',
        permission: 'space.comment',
        tags,
        query: BodyQuery,
        body: UpdateComment.default({}),
        response: Comment,
        etag: true,
      },
      async ({ platform: { links }, thread, actor, member, role, comment, query, body, can, reply }) => {
        if (body.body && !can['comment.edit']) throw forbidden('comment.edit');
        await refuseHiddenMentions(body.body ?? {}, member);
        const changed = await updateComment(comment._id, body, { thread, user: actor.user.id });
        reply.version(changed.version);
        return showComment(changed, { links, thread, actor, role, format: query.format });
      },
    ),

    inComment.delete(
      '',
      {
        operationId: `deleteCommentIn${name}`,
        summary: 'Delete a comment with its replies',
        permission: 'comment.delete',
        tags,
      },
      async ({ thread, comment }) => deleteComment(comment._id, thread),
    ),

    ...replyRoutes(inComment, name),
  ];
}

function replyRoutes(inComment: ReturnType<typeof inCommentOf>, name: 'Space' | 'ChangeRequest'): Route[] {
  const inReply = inReplyOf(inComment);
  return [
    inComment.list(
      '/replies',
      {
        operationId: `listCommentRepliesIn${name}`,
        summary: 'List the replies to a comment, the oldest first',
        permission: 'space.view',
        tags,
        query: BodyQuery,
        item: CommentReply,
      },
      async ({ platform: { links }, thread, actor, role, comment, query }) =>
        pageOfReplies(comment, query, { links, thread, actor, role, format: query.format }),
    ),

    inComment.post(
      '/replies',
      {
        operationId: `postCommentReplyIn${name}`,
        summary: 'Reply to a comment',
        permission: 'comment.reply',
        tags,
        query: BodyQuery,
        body: PostReply,
        response: CommentReply,
        idempotent: true,
      },
      async ({ platform: { links }, thread, actor, member, role, comment, query, body }) => {
        await refuseHiddenMentions(body.body, member);
        const posted = await postReply(comment, { thread, postedBy: actor.user.id, body: body.body });
        return showReply(posted, { links, thread, actor, role, format: query.format });
      },
    ),

    inReply.get(
      '',
      {
        operationId: `getCommentReplyIn${name}`,
        summary: 'Get a reply to a comment',
        permission: 'space.view',
        tags,
        query: BodyQuery,
        response: CommentReply,
        etag: true,
      },
      async ({ platform: { links }, thread, actor, role, commentReply, query, reply }) => {
        reply.version(commentReply.version);
        return showReply(commentReply, { links, thread, actor, role, format: query.format });
      },
    ),

    inReply.put(
      '',
      {
        operationId: `updateCommentReplyIn${name}`,
        summary: 'Change a reply, or react to it',
        permission: 'space.comment',
        tags,
        query: BodyQuery,
        body: UpdateReply.default({}),
        response: CommentReply,
        etag: true,
      },
      async ({ platform: { links }, thread, actor, member, role, commentReply, query, body, can, reply }) => {
        if (body.body && !can['reply.edit']) throw forbidden('reply.edit');
        await refuseHiddenMentions(body.body ?? {}, member);
        const changed = await updateReply(commentReply._id, body, { thread, user: actor.user.id });
        reply.version(changed.version);
        return showReply(changed, { links, thread, actor, role, format: query.format });
      },
    ),

    inReply.delete(
      '',
      {
        operationId: `deleteCommentReplyIn${name}`,
        summary: 'Delete a reply to a comment',
        permission: 'reply.delete',
        tags,
      },
      async ({ thread, commentReply }) => deleteReply(commentReply, thread),
    ),
  ];
}

export const allCommentRoutes = [
  ...commentRoutes(inMainThread, 'Space'),
  ...commentRoutes(inChangeRequest, 'ChangeRequest'),
];
