import mongoose, { Schema } from 'mongoose';

/**
 * The other spaces that the main content of a space mentions, for finding backlinks from other spaces, and
 * the API specifications it shows. Derived from the content.
 */
export type SpaceMentionsRecord = {
  /** Id of the space. */
  _id: string;
  space: string;
  /**
   * The organization whose document links it was derived from: after a transfer of the space it is outdated.
   */
  madeIn: string;
  /** The version of the document reader; older records are rebuilt. */
  format: number;
  /** The revision that was read; the record says nothing about others. */
  revision: string;
  /** Ids as written, whether such spaces exist or not. Some may be from earlier revisions. */
  mentions: string[];
  /**
   * Slugs and ids of specifications, likewise. Absent in records of an earlier version, which are rebuilt.
   */
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
