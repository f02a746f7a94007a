import mongoose, { Schema } from 'mongoose';
import { isDuplicateKey } from '../database/connection.ts';

/** The characters that an organization has had translated by services on a day. */
type TranslationUsageRecord = {
  /** `<organization>:<day>`, the day in UTC as `2026-01-31`. */
  _id: string;
  characters: number;
  expireAt: Date;
};

const dayMs = 24 * 3_600_000;

const schema = new Schema<TranslationUsageRecord>(
  { _id: String, characters: { type: Number, required: true }, expireAt: { type: Date, required: true } },
  { collection: 'translationUsage', versionKey: false },
);
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const TranslationUsage = mongoose.model('TranslationUsage', schema);

/**
 * Counts characters for an organization and a day.
 *
 * @returns false, and counts nothing, when they would exceed the limit of the day
 */
export async function useTranslationCharacters(
  organization: string,
  { characters, limit, now }: { characters: number; limit: number; now: Date },
): Promise<boolean> {
  if (characters > limit) return false;
  const _id = `${organization}:${now.toISOString().slice(0, 10)}`;
  const add = async () => {
    const room = { _id, characters: { $lte: limit - characters } };
    return (await TranslationUsage.updateOne(room, { $inc: { characters } })).matchedCount === 1;
  };
  if (await add()) return true;
  try {
    await TranslationUsage.create({ _id, characters, expireAt: new Date(now.getTime() + 2 * dayMs) });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // It has no room, or another process has created it just now.
    return add();
  }
}
