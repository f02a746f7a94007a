import { newId, type SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { isDuplicateKey, mongoDatabase, type ClientSession } from './connection.ts';
import { sealedSecretSchema } from '../organization/sealedSecret.ts';

const keptMs = 24 * 60 * 60 * 1000;

/** A request that came with an `Idempotency-Key`, kept for a day. */
export type IdempotencyRecord = {
  /** Hash of the user, the operation and the key. */
  _id: string;
  operationId: string;
  /** Differs when the same key comes with another request. */
  fingerprint: string;
  /** Who carries the request out: every write of that carries it, so that one that was given up for lost cannot write. */
  run: string;
  /** How long it counts as being carried out, unless that is told again. */
  leaseUntil: Date;
  /** Set by the transaction that carried it out. */
  committedAt?: Date;
  /** What was answered, sealed: it may hold a secret. */
  answer?: SealedSecret;
  expireAt: Date;
};

const schema = new Schema<IdempotencyRecord>(
  {
    _id: String,
    operationId: { type: String, required: true },
    fingerprint: { type: String, required: true },
    run: { type: String, required: true },
    leaseUntil: { type: Date, required: true },
    committedAt: Date,
    answer: { type: sealedSecretSchema as never },
    expireAt: { type: Date, required: true },
  },
  { collection: 'idempotencyKeys', versionKey: false },
);
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

// Its collection and index are made with those of the other models.
mongoose.model('IdempotencyKey', schema);

/** The driver's collection: it is written with pipelines and MongoDB's own clock, which no schema has a say in. */
export function idempotencyCollection() {
  return mongoDatabase().collection<IdempotencyRecord>('idempotencyKeys');
}

/**
 * Takes a key for one run of a request: one that is new, or whose earlier run of the same request ended without having done anything.
 *
 * @returns the record as it is now; `isMine` when the run that it names was made here, `isHeld` while that run counts as being carried out
 */
export async function claimIdempotencyKey({
  id,
  operationId,
  fingerprint,
  leaseMs,
}: {
  id: string;
  operationId: string;
  fingerprint: string;
  leaseMs: number;
}): Promise<IdempotencyRecord & { isMine: boolean; isHeld: boolean }> {
  const run = newId();
  const isPast = (field: string) => ({ $lte: [{ $ifNull: [field, new Date(0)] }, '$$NOW'] });
  const isAbsent = (field: string) => ({ $eq: [{ $type: field }, 'missing'] });
  const isDead = { $and: [isPast('$leaseUntil'), isAbsent('$committedAt'), isAbsent('$answer'), { $eq: ['$fingerprint', fingerprint] }] };
  const own = { _id: id, operationId, fingerprint, run, leaseUntil: inMs(leaseMs), expireAt: inMs(keptMs) };
  // A record that is not there yet has no `expireAt` either.
  const claim = [{ $replaceWith: { $cond: [{ $or: [isPast('$expireAt'), isDead] }, own, '$$ROOT'] } }];
  const take = () =>
    idempotencyCollection().findOneAndUpdate({ _id: id }, claim, {
      upsert: true,
      returnDocument: 'after',
      promoteBuffers: true,
      projection: {
        operationId: 1,
        fingerprint: 1,
        run: 1,
        leaseUntil: 1,
        committedAt: 1,
        answer: 1,
        expireAt: 1,
        isHeld: { $gt: ['$leaseUntil', '$$NOW'] },
      },
    });
  const record = await take().catch((error: unknown) => {
    // Two requests made the record at the same moment: the one that was later finds it now.
    if (isDuplicateKey(error)) return take();
    throw error;
  });
  if (!record) throw new Error('An upsert gave no record.');
  return { ...record, isMine: record.run === run, isHeld: 'isHeld' in record && record.isHeld === true };
}

type Claim = Pick<IdempotencyRecord, '_id' | 'run'>;

/** Keeps a request that takes long from counting as lost. */
export async function renewIdempotencyKey({ _id, run }: Claim, leaseMs: number): Promise<void> {
  await idempotencyCollection().updateOne({ _id, run }, [{ $set: { leaseUntil: inMs(leaseMs) } }]);
}

/**
 * Writes down, in the transaction that carries the request out, that it was carried out.
 *
 * @returns false when another run has taken the key over
 */
export async function commitIdempotencyKey({ _id, run }: Claim, session: ClientSession): Promise<boolean> {
  const { matchedCount } = await idempotencyCollection().updateOne({ _id, run }, { $currentDate: { committedAt: true } }, { session });
  return matchedCount === 1;
}

/** Ends a run that has succeeded; without an answer, nobody can be told later what it was. */
export async function answerIdempotencyKey({ _id, run }: Claim, answer: SealedSecret | undefined): Promise<void> {
  await idempotencyCollection().updateOne({ _id, run }, { ...(answer && { $set: { answer } }), $currentDate: { leaseUntil: true } });
}

/** Ends a run that was refused: unless it had done something all the same, the key may be used again, also for another request. */
export async function releaseIdempotencyKey({ _id, run }: Claim): Promise<void> {
  const { deletedCount } = await idempotencyCollection().deleteOne({ _id, run, committedAt: { $exists: false } });
  if (deletedCount === 0) await answerIdempotencyKey({ _id, run }, undefined);
}

/** So long after MongoDB's present time. */
function inMs(ms: number): object {
  return { $add: ['$$NOW', ms] };
}
