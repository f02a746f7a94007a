import type { TranslationStats } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

/**
 * A space that is kept as the translation of another one.
 *
 * How far its newest run is, is told by the job that `job` names; what runs came to is here, written by the last write of each that succeeded.
 */
export type TranslationRecord = {
  _id: string;
  organization: string;
  source: { space: string; language: string };
  language: string;
  /** A document tree as JSON: MongoDB has rules of its own for the names of fields. */
  instructions: string;
  /** Counts the instructions that it has had. */
  instructionsRevision: number;
  /** The space is there from the beginning; the revision from the first run that succeeded. */
  result: { space: string; revision?: string };
  stats: TranslationStats;
  /** The newest run. */
  job: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  /** Counts the changes that callers made, for `If-Match`. */
  version: number;
};

const schema = new Schema<TranslationRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    source: { type: new Schema({ space: String, language: String }, { _id: false }) as never, required: true },
    language: { type: String, required: true },
    instructions: { type: String, required: true },
    instructionsRevision: { type: Number, required: true },
    result: { type: new Schema({ space: String, revision: String }, { _id: false }) as never, required: true },
    stats: {
      type: new Schema(
        {
          runs: Number,
          totalWords: Number,
          totalPages: Number,
          totalDuration: Number,
          latestRunDuration: Number,
          latestPages: Number,
          latestWords: Number,
        },
        { _id: false },
      ),
      required: true,
    } as never,
    job: { type: String, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    version: { type: Number, default: 1 },
  },
  { collection: 'translations', versionKey: false },
);
// A space that was given to another organization leaves its translations behind, which are not in the way there.
schema.index({ 'source.space': 1, organization: 1, language: 1 }, { unique: true });
schema.index({ organization: 1, createdAt: -1, _id: -1 });

export const Translation = mongoose.model('Translation', schema);

/** A term, and how it is to be translated everywhere in an organization. */
export type GlossaryEntryRecord = {
  _id: string;
  organization: string;
  /** By language. */
  translations: Record<string, string>;
  createdAt: Date;
  updatedAt: Date;
};

const glossarySchema = new Schema<GlossaryEntryRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    translations: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'glossaryEntries', versionKey: false, minimize: false },
);
glossarySchema.index({ organization: 1, createdAt: -1, _id: -1 });

export const GlossaryEntry = mongoose.model('GlossaryEntry', glossarySchema);
