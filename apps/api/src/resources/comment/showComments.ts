import { takeTurns } from '@bindery/content';
import type { Body, BodyFormat, Comment, CommentReply, Role } from '@bindery/contract';
import type { CommentRecord, CommentReplyRecord, RemarkRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { commentPermissions } from '../../permissions/comment.ts';
import type { Links } from '../../presenters/links.ts';
import { showUsers, type Viewer } from '../user/showUsers.ts';
import { presentBody } from './body.ts';
import { presentComment, presentReply } from './comment.presenter.ts';
import { showTargetPages } from './targetPage.ts';
import type { Thread } from '../../records/thread.ts';

/** The caller, the thread, and the format of bodies. */
export type View = { links: Links; actor: Actor; role: Role; thread: Thread; format: BodyFormat };

/**
 * Presents comments of one thread, in the given order. The number of queries is the same for any number of
 * comments.
 */
export async function showComments(comments: readonly CommentRecord[], view: View): Promise<Comment[]> {
  const [userOf, pageOf] = await Promise.all([
    showUsers(
      comments.flatMap((comment) => [
        ...peopleOf(comment),
        ...comment.repliers.map(({ user }) => user),
        ...(comment.resolvedBy === undefined ? [] : [comment.resolvedBy]),
      ]),
      viewerOf(view),
    ),
    showTargetPages(view.thread, comments),
  ]);
  return inTurns(comments, async (comment) =>
    presentComment(comment, {
      links: view.links,
      userOf,
      permissions: permissionsOf(comment, view),
      body: await bodyOf(comment, view),
      path: pathOf(view.thread, comment._id),
      page: pageOf(comment),
    }),
  );
}

/** Presents one comment. */
export async function showComment(comment: CommentRecord, view: View): Promise<Comment> {
  const [shown] = await showComments([comment], view);
  return shown as Comment;
}

export async function showReplies(
  replies: readonly CommentReplyRecord[],
  view: View,
): Promise<CommentReply[]> {
  const userOf = await showUsers(replies.flatMap(peopleOf), viewerOf(view));
  return inTurns(replies, async (reply) =>
    presentReply(reply, {
      links: view.links,
      userOf,
      permissions: permissionsOf(reply, view),
      body: await bodyOf(reply, view),
      path: `${pathOf(view.thread, reply.comment)}/replies/${reply._id}`,
    }),
  );
}

export async function showReply(reply: CommentReplyRecord, view: View): Promise<CommentReply> {
  const [shown] = await showReplies([reply], view);
  return shown as CommentReply;
}

/** The caller, in the organization of the thread. */
export function viewerOf({ links, actor, thread }: Pick<View, 'links' | 'actor' | 'thread'>): Viewer {
  return { links, organization: thread.space.organization, user: actor.user.id };
}

function peopleOf({ postedBy, reactions }: RemarkRecord): string[] {
  return [postedBy, ...reactions.flatMap(({ users }) => users.map(({ user }) => user))];
}

function permissionsOf({ postedBy }: RemarkRecord, { role, actor }: View) {
  return commentPermissions({ role, user: actor.user.id, postedBy });
}

function pathOf({ space, changeRequest }: Thread, commentId: string): string {
  return `/spaces/${space._id}${changeRequest ? `/change-requests/${changeRequest._id}` : ''}/comments/${commentId}`;
}

async function bodyOf({ body }: RemarkRecord, { format, thread }: View): Promise<Body> {
  return presentBody(body, { format, organization: thread.space.organization });
}

/**
 * Presents the records one by one and yields to other requests in between: a long text takes milliseconds,
 * and a list may have a thousand.
 */
async function inTurns<R, P>(records: readonly R[], present: (record: R) => Promise<P>): Promise<P[]> {
  const presented: P[] = [];
  const turn = takeTurns();
  for (const record of records) {
    presented.push(await present(record));
    await turn();
  }
  return presented;
}
