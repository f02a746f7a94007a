import type { TranslationStats } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import type { RevisionRecord } from './content.ts';

/** The roots of a content, by hash, and what a revision holds besides. */
export type WrittenContent = Pick<
  RevisionRecord,
  'pages' | 'files' | 'reusableContents' | 'variables' | 'redirects'
>;

/**
 * A space kept as the translation of another one.
 *
 * The job named by `job` has the progress of the newest run; this record has the results, set by the last
 * write of each successful run.
 */
export type TranslationRecord = {
  _id: string;
  organization: string;
  source: { space: string; language: string };
  language: string;
  /** A document tree as JSON, because MongoDB restricts field names. */
  instructions: string;
  /** Counts the changes of its instructions. */
  instructionsRevision: number;
  /** The space exists from the beginning; the revision from the first successful run. */
  result: { space: string; revision?: string };
  /** What the last run made of the source, without the edits of the result that were merged into it. */
  written?: WrittenContent;
  stats: TranslationStats;
  /** The newest run. */
  job: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  /** Counts the changes by callers, for `If-Match`. */
  version: number;
};

const schema = new Schema<TranslationRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    source: {
      type: new Schema({ space: String, language: String }, { _id: false }) as never,
      required: true,
    },
    language: { type: String, required: true },
    instructions: { type: String, required: true },
    instructionsRevision: { type: Number, required: true },
    result: {
      type: new Schema({ space: String, revision: String }, { _id: false }) as never,
      required: true,
    },
    written: {
      type: new Schema(
        {
          pages: String,
          files: String,
          reusableContents: String,
          variables: [Schema.Types.Mixed],
          redirects: [Schema.Types.Mixed],
        },
        { _id: false, minimize: false },
      ) as never,
    },
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
// A space that was transferred to another organization leaves its translations behind; there, they do not
// conflict with new ones.
schema.index({ 'source.space': 1, organization: 1, language: 1 }, { unique: true });
schema.index({ organization: 1, createdAt: -1, _id: -1 });

export const Translation = mongoose.model('Translation', schema);

/** A term, and its translations for the whole organization. */
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
