import mongoose, { Schema } from 'mongoose';
import { chunksOf } from '@bindery/runtime';
import { insertMissing } from '../database/insertMissing.ts';

/**
 * Where the text of a segment comes from: an engine, a person, or the source, because there is no translation
 * (`kept`). `conflict`: an engine's text, where the source of a person's text has changed. `removed`: a
 * person's text whose source is no longer in the page.
 */
export type SegmentState = 'machine' | 'human' | 'kept' | 'conflict' | 'removed';

/** Longer texts are not translated; of them, the beginning is listed. */
export const maxListedSource = 20_000;

/** Texts of people whose source is gone are listed for so long. */
const removedKeptMs = 90 * 24 * 3_600_000;

/**
 * A text of a page as the last run of a translation made it. A text that a page has twice is one segment.
 *
 * All texts are written as `textOfParts` of packages/translation does, with numbered placeholders.
 */
export type TranslatedSegmentRecord = {
  /** `<translation>:<page>:<key>`. */
  _id: string;
  translation: string;
  page: string;
  /** The title of the page in the source. */
  title: string;
  /** Order within the page. */
  position: number;
  /** The key that a person's text has in the memory. */
  key: string;
  role: string;
  state: SegmentState;
  source: string;
  /** Absent where the source was kept. */
  target?: string;
  /** Why the source was kept. */
  reason?: string;
  /** Of a conflict: the person's text, and the source that it was written for, with its key. */
  replaced?: { key: string; source: string; target: string };
  /** The glossary terms that occur in it: pairs of source and target. */
  terms?: [string, string][];
  words: number;
  /** Words that the engine does not know. */
  unknownWords?: number;
  /** A person has changed the target since the last run; the page has the old one. */
  isPending?: true;
  /** The job that wrote it. */
  job: string;
  /** Changes with every change; begins with the time of the run, in milliseconds. For `If-Match`. */
  version: number;
  /** Of a removed one. */
  expireAt?: Date;
};

const schema = new Schema<TranslatedSegmentRecord>(
  {
    _id: String,
    translation: { type: String, required: true },
    page: { type: String, required: true },
    title: { type: String, required: true },
    position: { type: Number, required: true },
    key: { type: String, required: true },
    role: { type: String, required: true },
    state: { type: String, required: true },
    source: { type: String, required: true },
    target: String,
    reason: String,
    replaced: { type: new Schema({ key: String, source: String, target: String }, { _id: false }) as never },
    terms: { type: [[String]], default: undefined } as never,
    words: { type: Number, required: true },
    unknownWords: Number,
    isPending: Boolean,
    job: { type: String, required: true },
    version: { type: Number, required: true },
    expireAt: Date,
  },
  { collection: 'translatedSegments', versionKey: false },
);
schema.index({ translation: 1, page: 1, position: 1, _id: 1 });
schema.index({ translation: 1, state: 1, page: 1, position: 1, _id: 1 });
schema.index({ translation: 1, key: 1 });
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const TranslatedSegment = mongoose.model('TranslatedSegment', schema);

export function translatedSegmentId({
  translation,
  page,
  key,
}: Pick<TranslatedSegmentRecord, 'translation' | 'page' | 'key'>): string {
  return `${translation}:${page}:${key}`;
}

const perWrite = 1_000;

/**
 * Replaces the segments of pages, but for removed ones. A process that dies between the two steps leaves the
 * old ones beside the new ones, so that the next run still finds the texts of people.
 *
 * @param of.job  the job that all these segments name
 */
export async function replaceTranslatedSegments(
  segments: readonly TranslatedSegmentRecord[],
  { translation, pages, job }: { translation: string; pages: readonly string[]; job: string },
): Promise<void> {
  const { collection } = TranslatedSegment;
  for (const some of chunksOf(segments, perWrite)) {
    const stored = await insertMissing(collection, some);
    if (stored.length === 0) continue;
    const writes = stored.map((segment) => ({
      replaceOne: { filter: { _id: segment._id }, replacement: segment, upsert: true },
    }));
    await collection.bulkWrite(writes as never, { ordered: false, ignoreUndefined: true });
  }
  await TranslatedSegment.deleteMany({
    ...{ translation, page: { $in: pages } },
    ...{ job: { $ne: job }, state: { $ne: 'removed' } },
  });
}

/** A person's text as it is listed after its source is gone: that of the segment, or of its conflict. */
export function removedSegment(
  segment: TranslatedSegmentRecord,
  { job, now }: { job: string; now: Date },
): TranslatedSegmentRecord {
  const { replaced, reason: _reason, ...rest } = segment;
  const text = { ...rest, ...replaced };
  return {
    ...{ ...text, _id: translatedSegmentId(text), state: 'removed', job, version: now.getTime() },
    expireAt: new Date(now.getTime() + removedKeptMs),
  };
}

/** Removes all segments of a translation. */
export async function removeTranslatedSegments(translation: string): Promise<void> {
  await TranslatedSegment.deleteMany({ translation });
}
