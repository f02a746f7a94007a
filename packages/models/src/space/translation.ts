import type { TranslationStats } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';
import type { ContentFields } from './content.ts';

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
  /** The output of the last run, without the edits of the result that were merged into it. */
  written?: ContentFields;
  /** When the last run began to read texts of people from the memory; by MongoDB's clock. */
  memoryReadAt?: Date;
  /** Hash of the glossary terms that the last run used. */
  terms?: string;
  stats: TranslationStats;
  /** The newest run. */
  job: string;
  /** Counts the changes of the source, the glossary and the texts of people. */
  requests?: number;
  /** The first and the last of these changes that no run has; by MongoDB's clock. */
  due?: { since: Date; latest: Date };
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
    memoryReadAt: Date,
    terms: String,
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
    requests: Number,
    due: { type: new Schema({ since: Date, latest: Date }, { _id: false }) as never },
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
for (const end of ['source.space', 'result.space'])
  schema.index({ [end]: 1, organization: 1, createdAt: -1, _id: -1 });
for (const change of ['due.since', 'due.latest'])
  schema.index({ [change]: 1 }, { partialFilterExpression: { [change]: { $exists: true } } });

export const Translation = mongoose.model('Translation', schema);

/**
 * Makes translations due for a run, in the transaction that changes something they depend on. Runs follow
 * when such changes have ceased for a while.
 */
export async function requestTranslations(
  which: { organization: string } & Record<string, unknown>,
  session?: ClientSession,
): Promise<void> {
  await Translation.updateMany(
    which,
    [
      {
        $set: {
          requests: { $add: [{ $ifNull: ['$requests', 0] }, 1] },
          due: { since: { $ifNull: ['$due.since', '$$NOW'] }, latest: '$$NOW' },
        },
      },
    ],
    { updatePipeline: true, session },
  );
}

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

/** An organization may have more terms; the oldest count. */
const maxTerms = 10_000;

/** The terms of an organization's glossary in two languages, oldest first. */
export async function glossaryTerms(
  organization: string,
  { source, target }: { source: string; target: string },
): Promise<{ source: string; target: string }[]> {
  const entries = await GlossaryEntry.find({ organization })
    .sort({ createdAt: 1, _id: 1 })
    .limit(maxTerms)
    .lean<GlossaryEntryRecord[]>();
  return entries.flatMap(({ translations }) => {
    const [from, into] = [translations[source], translations[target]];
    return from !== undefined && into !== undefined ? [{ source: from, target: into }] : [];
  });
}
