import { maxFeedbackMonths, type FeedbackRating } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

/** How many readers gave a page of a site each rating in a month. Nothing tells who they were. */
export type PageFeedbackRecord = Record<FeedbackRating, number> & {
  /** `<site space>:<page>:<month>` */
  _id: string;
  site: string;
  siteSpace: string;
  page: string;
  /** In UTC, as `2026-01`. */
  month: string;
  expireAt: Date;
};

const schema = new Schema<PageFeedbackRecord>(
  {
    _id: String,
    site: { type: String, required: true },
    siteSpace: { type: String, required: true },
    page: { type: String, required: true },
    month: { type: String, required: true },
    bad: { type: Number, required: true },
    ok: { type: Number, required: true },
    good: { type: Number, required: true },
    expireAt: { type: Date, required: true },
  },
  { collection: 'pageFeedback', versionKey: false },
);
schema.index({ site: 1, month: 1 });
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const PageFeedback = mongoose.model('PageFeedback', schema);

/** The rating that a reader gave a page. */
export type NewFeedback = Pick<PageFeedbackRecord, 'site' | 'siteSpace' | 'page'> & {
  rating: FeedbackRating;
};

/** Counts ratings in the month of `now`. */
export async function countFeedback(given: readonly NewFeedback[], now: Date): Promise<void> {
  if (given.length === 0) return;
  const month = feedbackMonth(now);
  const expireAt = startOfMonth(now, maxFeedbackMonths);
  const writes = given.map(({ rating, ...place }) => ({
    updateOne: {
      filter: { _id: [place.siteSpace, place.page, month].join(':') },
      update: {
        $setOnInsert: { ...place, month, expireAt },
        $inc: { bad: 0, ok: 0, good: 0, [rating]: 1 },
      },
      upsert: true,
    },
  }));
  await PageFeedback.bulkWrite(writes, { ordered: false });
}

/** The month of a time as records name it, or an earlier one. */
export function feedbackMonth(now: Date, monthsBefore = 0): string {
  return startOfMonth(now, -monthsBefore).toISOString().slice(0, 7);
}

function startOfMonth(now: Date, further: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + further));
}
