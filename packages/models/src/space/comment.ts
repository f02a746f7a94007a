import mongoose, { Schema } from 'mongoose';

/** One kind of reaction, ordered by first use; removed with its last user. */
export type ReactionRecord = { emoji: string; users: { user: string; at: Date }[] };

/** The body as given. A document tree is stored as JSON text, because it may have any keys. */
export type BodyRecord =
  | { markdown: string; documentJson?: undefined }
  | { markdown?: undefined; documentJson: string };

/** Fields shared by comments and replies. */
export type RemarkRecord = {
  _id: string;
  postedBy: string;
  postedAt: Date;
  editedAt?: Date;
  body: BodyRecord;
  reactions: ReactionRecord[];
  /** Counts the changes of the record, for `If-Match`. */
  version: number;
};

/** A page as it was when a comment was posted on it; shown after the page is deleted. */
export type TargetPageRecord = {
  id: string;
  title: string;
  emoji?: string;
  icon?: string;
  createdAt: string;
  updatedAt: string;
  path: string;
};

export type CommentRecord = RemarkRecord & {
  space: string;
  changeRequest?: string;
  /** The object commented on: the change request, or the space for its main content. */
  thread: string;
  target: {
    revision: string;
    page?: TargetPageRecord;
    node?: string;
    tableCell?: { record: string; definition: string };
    review?: string;
  };
  status: 'open' | 'resolved';
  resolvedAt?: Date;
  resolvedBy?: string;
  /** The number of replies, and their authors, maintained by the writes that change them. */
  replies: number;
  repliers: { user: string; count: number; updatedAt: Date }[];
};

export type CommentReplyRecord = RemarkRecord & { comment: string; space: string; thread: string };

const remarkFields = {
  _id: String,
  space: { type: String, required: true },
  thread: { type: String, required: true },
  postedBy: { type: String, required: true },
  postedAt: { type: Date, required: true },
  editedAt: Date,
  body: { type: new Schema({ markdown: String, documentJson: String }, { _id: false }), required: true },
  reactions: {
    type: [
      new Schema(
        {
          emoji: String,
          users: { type: [new Schema({ user: String, at: Date }, { _id: false })], default: [] },
        },
        { _id: false },
      ),
    ],
    default: [],
  },
  version: { type: Number, default: 1 },
} as const;

const commentSchema = new Schema<CommentRecord>(
  {
    ...remarkFields,
    changeRequest: String,
    target: { type: Schema.Types.Mixed, required: true },
    status: { type: String, default: 'open' },
    resolvedAt: Date,
    resolvedBy: String,
    replies: { type: Number, default: 0 },
    repliers: {
      type: [new Schema({ user: String, count: Number, updatedAt: Date }, { _id: false })],
      default: [],
    },
  } as never,
  { collection: 'comments', versionKey: false, minimize: false },
);
commentSchema.index({ thread: 1, status: 1, postedAt: -1, _id: -1 });
commentSchema.index({ thread: 1, status: 1, 'target.page.id': 1, postedAt: -1, _id: -1 });
commentSchema.index({ thread: 1, status: 1, postedBy: 1, postedAt: -1, _id: -1 });
commentSchema.index({ space: 1 });

export const Comment = mongoose.model('Comment', commentSchema);

const replySchema = new Schema<CommentReplyRecord>(
  { ...remarkFields, comment: { type: String, required: true } } as never,
  {
    collection: 'commentReplies',
    versionKey: false,
    minimize: false,
  },
);
replySchema.index({ comment: 1, postedAt: 1, _id: 1 });
replySchema.index({ space: 1 });

export const CommentReply = mongoose.model('CommentReply', replySchema);
