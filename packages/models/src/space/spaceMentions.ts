import mongoose, { Schema } from 'mongoose';

/**
 * Which other spaces the main content of a space mentions, where backlinks from other spaces can come from, and which API specifications it shows.
 * Made from the content.
 */
export type SpaceMentionsRecord = {
  /** Id of the space. */
  _id: string;
  space: string;
  /** The organization whose document links it was made from: one that the space has left does not count. */
  madeIn: string;
  /** Of the reader of documents: an older record is made anew. */
  format: number;
  /** The revision that was looked through; of another one nothing is known. */
  revision: string;
  /** Ids as they are written, whether there are such spaces or not. Some may be of earlier revisions. */
  mentions: string[];
  /** Slugs and ids of specifications, likewise. Absent in records of an earlier version, which are made anew. */
  specs?: string[];
};

const schema = new Schema<SpaceMentionsRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    madeIn: { type: String, required: true },
    format: { type: Number, required: true },
    revision: { type: String, required: true },
    mentions: { type: [String], required: true },
    specs: { type: [String], default: undefined } as never,
  },
  { collection: 'spaceMentions', versionKey: false },
);
schema.index({ madeIn: 1, mentions: 1 });
schema.index({ madeIn: 1, specs: 1 });
schema.index({ space: 1 });

export const SpaceMentions = mongoose.model('SpaceMentions', schema);
