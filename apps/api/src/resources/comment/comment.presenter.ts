import type {
  Body,
  Comment,
  CommentPermission,
  CommentReply,
  Reaction,
  TargetPage,
  User,
} from '@bindery/contract';
import type { CommentRecord, CommentReplyRecord, ReactionRecord, RemarkRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';

type Shown = {
  links: Links;
  userOf: (id: string) => User;
  permissions: Record<CommentPermission, boolean>;
  body: Body;
  /** Path of the comment in the API, such as `/spaces/ID/comments/ID`. */
  path: string;
};

/** @param page  the current state of the page that the comment is about */
export function presentComment(
  comment: CommentRecord,
  { page, ...shown }: Shown & { page: TargetPage | undefined },
): Comment {
  const { space, changeRequest, target, resolvedAt, resolvedBy } = comment;
  return {
    object: 'comment',
    ...presentRemark(comment, shown),
    replies: comment.replies,
    repliers: comment.repliers.map(({ user, count, updatedAt }) => ({
      user: shown.userOf(user),
      count,
      updatedAt: updatedAt.toISOString(),
    })),
    target: {
      node: target.node === undefined ? undefined : { id: target.node },
      tableCell: target.tableCell,
      changeRequest,
      review: target.review,
      page,
      space,
      revision: target.revision,
    },
    status: comment.status,
    resolvedAt: resolvedAt?.toISOString(),
    resolvedBy: resolvedBy === undefined ? undefined : shown.userOf(resolvedBy),
  };
}

export function presentReply(commentReply: CommentReplyRecord, shown: Shown): CommentReply {
  return { object: 'comment-reply', ...presentRemark(commentReply, shown) };
}

function presentRemark(remark: RemarkRecord, { links, userOf, permissions, body, path }: Shown) {
  return {
    id: remark._id,
    postedBy: userOf(remark.postedBy),
    postedAt: remark.postedAt.toISOString(),
    editedAt: remark.editedAt?.toISOString(),
    reactions: remark.reactions.map((reaction) => presentReaction(reaction, userOf)),
    body,
    urls: { location: links.api(path) },
    permissions,
  };
}

function presentReaction({ emoji, users }: ReactionRecord, userOf: (id: string) => User): Reaction {
  return {
    emoji,
    count: users.length,
    users: users.map(({ user, at }) => ({ user: userOf(user), reactedAt: at.toISOString() })),
  };
}
