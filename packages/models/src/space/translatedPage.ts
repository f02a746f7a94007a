import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/** The parts of a page that a translation changes: its document by hash, and the texts of its entry. */
export type PageTexts = { title: string; linkTitle?: string; description?: string; document?: string };

/** The output of the last run of a translation for a page. */
export type TranslatedPageRecord = {
  /** `<translation>:<page>`. */
  _id: string;
  translation: string;
  page: string;
  /** Hash of everything besides the page that its translation depends on. */
  settings: string;
  source: PageTexts;
  written: PageTexts;
  words: number;
  unknownWords: number;
};

const texts = () => ({
  type: new Schema(
    { title: String, linkTitle: String, description: String, document: String },
    { _id: false },
  ),
  required: true,
});
const schema = new Schema<TranslatedPageRecord>(
  {
    _id: String,
    translation: { type: String, required: true },
    page: { type: String, required: true },
    settings: { type: String, required: true },
    source: texts() as never,
    written: texts() as never,
    words: { type: Number, required: true },
    unknownWords: { type: Number, required: true },
  },
  { collection: 'translatedPages', versionKey: false },
);
schema.index({ translation: 1, page: 1 });

export const TranslatedPage = mongoose.model('TranslatedPage', schema);

export function translatedPageId(translation: string, page: string): string {
  return `${translation}:${page}`;
}

/** Replaces the records of the pages that a run has made again, and removes those of pages that are gone. */
export async function replaceTranslatedPages(
  translation: string,
  { made, gone }: { made: readonly TranslatedPageRecord[]; gone: readonly string[] },
  session: ClientSession,
): Promise<void> {
  const writes = [
    ...made.map((record) => ({
      replaceOne: { filter: { _id: record._id }, replacement: record, upsert: true },
    })),
    ...gone.map((page) => ({ deleteOne: { filter: { _id: translatedPageId(translation, page) } } })),
  ];
  if (writes.length > 0)
    await TranslatedPage.collection.bulkWrite(writes as never, {
      ...{ ordered: false, ignoreUndefined: true, session },
    });
}

/** Removes the records of a translation. */
export async function removeTranslatedPages(translation: string, session: ClientSession): Promise<void> {
  await TranslatedPage.deleteMany({ translation }, { session });
}
