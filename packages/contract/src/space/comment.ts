import { z } from 'zod';
import { DocumentTree, type DocumentFragment, type DocumentNode } from '../document/document.ts';
import { Emoji } from '../document/emoji.ts';
import { fromRepeated, Id, text } from '../input/input.ts';
import { User } from '../user/user.ts';

/**
 * Limits of the body of a comment, reply or review: Markdown in UTF-8, and a tree as JSON, which is about ten
 * times as long.
 */
const bodyLimits = { markdownBytes: 20 * 1024, documentCharacters: 200 * 1024 } as const;

/** Maximum number of different reactions on one comment. */
export const maxReactionKinds = 50;

/** A body in a response, in the requested format. */
const Body = z
  .union([z.object({ markdown: z.string() }), z.object({ document: DocumentTree })])
  .meta({ id: 'Document', title: 'Content as Markdown or as a tree' });
export type Body = z.infer<typeof Body>;

const Markdown = text(0, bodyLimits.markdownBytes).refine(
  (value) =>
    value.length * 3 <= bodyLimits.markdownBytes ||
    new TextEncoder().encode(value).length <= bodyLimits.markdownBytes,
  `must have at most ${bodyLimits.markdownBytes} bytes`,
);
const Tree = DocumentTree.refine(
  (tree) => JSON.stringify(tree).length <= bodyLimits.documentCharacters,
  `must have at most ${bodyLimits.documentCharacters} characters as JSON`,
);

const GivenBody = z
  .object({ markdown: Markdown.optional(), document: Tree.optional() })
  .refine(
    ({ markdown, document }) => markdown === undefined || document === undefined,
    'must have either `markdown` or `document`',
  );

/** A body that is not blank. */
export const NewBody = GivenBody.refine(
  (body) => !isEmpty(body) && !isBlank(body),
  'must have `markdown` or `document`, and not be blank',
)
  .meta({ id: 'NewBody' })
  .describe('Either Markdown or a document tree.');
/** `{}` removes the body. */
const ChangedBody = GivenBody.refine(
  (body) => isEmpty(body) || !isBlank(body),
  'must not be blank; `{}` removes the content',
).meta({
  id: 'ChangedBody',
});
export type GivenBody = z.infer<typeof GivenBody>;

const TableCellTarget = z
  .object({ record: text(1, 256), definition: text(1, 256) })
  .meta({ id: 'TableCellTarget' });

export const PostComment = z
  .object({
    node: text(1, 256).optional().describe('Key of the block of the page that this is about.'),
    page: Id.optional(),
    tableCell: TableCellTarget.optional().describe('The cell of the table that `node` is.'),
    body: NewBody,
  })
  .superRefine(({ node, page, tableCell }, context) => {
    if (node !== undefined && page === undefined)
      context.addIssue({ code: 'custom', path: ['page'], message: 'must be given with `node`' });
    if (tableCell && node === undefined)
      context.addIssue({ code: 'custom', path: ['node'], message: 'must be given with `tableCell`' });
  })
  .meta({ id: 'PostCommentSchema' });
export type PostComment = z.infer<typeof PostComment>;

const Emojis = z.array(Emoji).max(maxReactionKinds);
export const UpdateReply = z
  .object({
    body: ChangedBody.optional(),
    addedReactions: Emojis.optional(),
    removedReactions: Emojis.optional().describe('An emoji that is also added is removed.'),
  })
  .meta({ id: 'UpdateCommentReplySchema' });
export type UpdateReply = z.infer<typeof UpdateReply>;
export const UpdateComment = UpdateReply.extend({ resolved: z.boolean().optional() }).meta({
  id: 'UpdateCommentSchema',
});
export type UpdateComment = z.infer<typeof UpdateComment>;

export const PostReply = z.object({ body: NewBody }).meta({ id: 'PostCommentReplySchema' });

export const BodyQuery = z.object({
  format: z.enum(['document', 'markdown']).default('markdown').describe('Format of the content.'),
});
export type BodyFormat = z.infer<typeof BodyQuery>['format'];

export const CommentsQuery = BodyQuery.extend({
  order: z.enum(['asc', 'desc']).default('desc').describe('By the time of posting.'),
  status: z.enum(['all', 'open', 'resolved']).default('all'),
  targetPage: Id.optional().describe('Only comments on this page.'),
  authors: fromRepeated(z.array(Id).max(50).optional()).describe('Only comments of these users.'),
});

const Reaction = z
  .object({
    emoji: z.string(),
    count: z.int(),
    users: z.array(z.object({ user: User, reactedAt: z.iso.datetime() })),
  })
  .meta({ id: 'EmojiReaction' });
export type Reaction = z.infer<typeof Reaction>;

const permissionNames = ['view', 'edit', 'reply', 'delete'] as const;
export type CommentPermission = (typeof permissionNames)[number];

const remarkFields = {
  id: z.string(),
  postedBy: User,
  postedAt: z.iso.datetime(),
  editedAt: z.iso.datetime().optional().describe('When the content was last changed.'),
  reactions: z.array(Reaction),
  body: Body,
  urls: z.object({ location: z.string() }),
  permissions: z.object(
    Object.fromEntries(permissionNames.map((name) => [name, z.boolean()])) as Record<
      CommentPermission,
      z.ZodBoolean
    >,
  ),
};

export const CommentReply = z
  .object({ object: z.literal('comment-reply'), ...remarkFields })
  .meta({ id: 'CommentReply' });
export type CommentReply = z.infer<typeof CommentReply>;

const TargetPage = z.object({
  id: z.string(),
  title: z.string(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  createdAt: z.iso.datetime().optional(),
  updatedAt: z.iso.datetime().optional(),
  path: z.string(),
  outdated: z.boolean().describe('Whether the page is no longer in the main content.'),
});
export type TargetPage = z.infer<typeof TargetPage>;

export const Comment = z
  .object({
    object: z.literal('comment'),
    ...remarkFields,
    replies: z.int(),
    repliers: z.array(
      z.object({ user: User, count: z.int(), updatedAt: z.iso.datetime() }).meta({ id: 'UserContributor' }),
    ),
    target: z.object({
      node: z.object({ id: z.string() }).optional(),
      tableCell: TableCellTarget.optional(),
      changeRequest: z.string().optional(),
      review: z.string().optional(),
      page: TargetPage.optional(),
      space: z.string(),
      revision: z.string().describe('The active revision when it was posted.'),
    }),
    status: z.enum(['open', 'resolved']),
    resolvedAt: z.iso.datetime().optional(),
    resolvedBy: User.optional(),
  })
  .meta({ id: 'Comment' });
export type Comment = z.infer<typeof Comment>;

function isEmpty({ markdown, document }: GivenBody): boolean {
  return markdown === undefined && document === undefined;
}

/**
 * Tells whether nothing of a body would be visible: only white space, and no block that shows without text,
 * such as an image.
 */
function isBlank({ markdown, document }: GivenBody): boolean {
  return markdown === undefined ? (document?.nodes ?? []).every(isBlankNode) : markdown.trim() === '';
}

function isBlankNode(node: DocumentNode | DocumentFragment): boolean {
  if (node.object === 'text') return node.leaves.every((leaf) => leaf.text.trim() === '');
  if (node.object !== 'fragment' && (node.isVoid || (node.fragments?.length ?? 0) > 0)) return false;
  return (node.nodes ?? []).every(isBlankNode);
}
