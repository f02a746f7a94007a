import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';
import { databaseNow } from '../database/databaseClock.ts';
import { insertIgnoringDuplicates } from '../database/insertMissing.ts';

/** A machine's translation that no run has used for so long is removed; it can be made again. */
const keptMs = 400 * 24 * 3_600_000;
/** How exact `usedAt` is: a run must not write each translation that it reads. */
const usedPrecisionMs = 30 * 24 * 3_600_000;

/**
 * The translation of a segment, for all pages of an organization in which its source occurs.
 *
 * Each batch is stored before the next is sent to the engine, so that nothing is translated twice, whatever
 * ends a run.
 */
export type TranslationMemoryRecord = {
  /** `<organization>:<key of the segment>`, see `segmentKey` of packages/translation. */
  _id: string;
  organization: string;
  /** With numbered placeholders, as `textOfParts` writes it. */
  text: string;
  /** The source, likewise. With its role and pair of languages, the memory can be exchanged. */
  source?: string;
  role?: string;
  /** As `pairName` writes it. */
  pair?: string;
  /** A person's text replaces an engine's, never the other way. */
  origin: 'machine' | 'human';
  /** Words that the engine does not know. */
  unknownWords?: number;
  createdAt: Date;
  /** Of a person's text: when it was stored, by MongoDB's clock. */
  humanAt?: Date;
  /** To a month. */
  usedAt: Date;
  /** Absent for a person's text, which stays. */
  expireAt?: Date;
};

const schema = new Schema<TranslationMemoryRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    text: { type: String, required: true },
    source: String,
    role: String,
    pair: String,
    origin: { type: String, required: true },
    unknownWords: Number,
    createdAt: { type: Date, required: true },
    humanAt: Date,
    usedAt: { type: Date, required: true },
    expireAt: Date,
  },
  { collection: 'translationMemory', versionKey: false },
);
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
// For the export of the memory.
schema.index({ organization: 1, pair: 1, _id: 1 }, { partialFilterExpression: { pair: { $exists: true } } });
// For runs that look for texts of people that are new.
schema.index(
  { organization: 1, pair: 1, humanAt: 1 },
  { partialFilterExpression: { humanAt: { $exists: true } } },
);

const TranslationMemory = mongoose.model('TranslationMemory', schema);

/** A translation to be kept: the key of its segment, and both texts. */
export type TranslationToKeep = { key: string; source: string; role: string; text: string };
/** The memory of an organization for a pair of languages. */
export type MemoryPart = { organization: string; pair: string };

/** The name of a pair of languages in the memory. */
export function pairName({ source, target }: { source: string; target: string }): string {
  return `${source}>${target}`;
}

export type KnownTranslation = Pick<TranslationMemoryRecord, 'text' | 'origin' | 'unknownWords'>;

/**
 * Looks up translations by the keys of their segments; 500 to 1,000 at once cost least.
 *
 * @param options.marksUse  stores that they were used, so that the memory keeps them
 */
export async function findTranslations(
  organization: string,
  keys: readonly string[],
  { marksUse = true } = {},
): Promise<Map<string, KnownTranslation>> {
  const found = new Map<string, KnownTranslation>();
  if (keys.length === 0) return found;
  const now = Date.now();
  const stale: string[] = [];
  const records = TranslationMemory.find({ _id: { $in: keys.map((key) => idOf(organization, key)) } })
    .lean<TranslationMemoryRecord[]>()
    .cursor();
  for await (const { _id, text, origin, unknownWords, usedAt } of records) {
    found.set(_id.slice(organization.length + 1), { text, origin, unknownWords });
    if (origin === 'machine' && now - usedAt.getTime() > usedPrecisionMs) stale.push(_id);
  }
  if (marksUse && stale.length > 0)
    await TranslationMemory.updateMany(
      { _id: { $in: stale }, origin: 'machine' },
      { $set: { usedAt: new Date(now), expireAt: new Date(now + keptMs) } },
    );
  return found;
}

/** Stores translations of an engine, unless the memory has a text for the segment already. */
export async function keepMachineTranslations(
  { organization, pair }: MemoryPart,
  translations: Iterable<TranslationToKeep & { unknownWords?: number | undefined }>,
): Promise<void> {
  const now = new Date();
  const expireAt = new Date(now.getTime() + keptMs);
  const records = Array.from(translations, ({ key, text, source, role, unknownWords }) => ({
    ...{ _id: idOf(organization, key), organization, pair, source, role, text, origin: 'machine' },
    ...{ createdAt: now, usedAt: now, expireAt },
    unknownWords: unknownWords || undefined,
  }));
  await insertIgnoringDuplicates(TranslationMemory.collection, records);
}

/** Stores texts of people, which replace all others for their segments. */
export async function keepHumanTranslations(
  { organization, pair }: MemoryPart,
  translations: Iterable<TranslationToKeep>,
  session?: ClientSession,
): Promise<void> {
  const now = new Date();
  const humanAt = databaseNow();
  const writes = [...translations].map(({ key, text, source, role }) => ({
    updateOne: {
      filter: { _id: idOf(organization, key) },
      update: {
        $set: { organization, pair, source, role, text, origin: 'human', usedAt: now, humanAt },
        $setOnInsert: { createdAt: now },
        $unset: { expireAt: 1, unknownWords: 1 },
      },
      upsert: true,
    },
  }));
  if (writes.length > 0)
    await TranslationMemory.collection.bulkWrite(writes as never, { ordered: false, session });
}

/** Clocks of processes that follow MongoDB's may differ by less. */
const clockMarginMs = 10_000;

/**
 * Lists texts of people that were stored since a time, in groups of a few hundred.
 *
 * @param since  by MongoDB's clock
 */
export async function* humanTextsSince(
  { organization, pair }: MemoryPart,
  since: Date,
): AsyncIterable<{ key: string; text: string }[]> {
  const found = TranslationMemory.find(
    { organization, pair, humanAt: { $gte: new Date(since.getTime() - clockMarginMs) } },
    { text: 1 },
  )
    .lean<Pick<TranslationMemoryRecord, '_id' | 'text'>[]>()
    .cursor({ batchSize: perGroup });
  let group: { key: string; text: string }[] = [];
  for await (const { _id, text } of found) {
    group.push({ key: _id.slice(organization.length + 1), text });
    if (group.length < perGroup) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

const perGroup = 500;

/** Lists the translations of a part of the memory, by key. Those without a source are left out. */
export async function* listTranslations({
  organization,
  pair,
}: MemoryPart): AsyncGenerator<TranslationToKeep & Pick<TranslationMemoryRecord, 'origin'>> {
  const records = TranslationMemory.find({ organization, pair })
    .sort({ _id: 1 })
    .lean<TranslationMemoryRecord[]>()
    .cursor({ batchSize: 1_000 });
  for await (const { _id, source, role, text, origin } of records)
    if (source !== undefined && role !== undefined)
      yield { key: _id.slice(organization.length + 1), source, role, text, origin };
}

function idOf(organization: string, key: string): string {
  return `${organization}:${key}`;
}
