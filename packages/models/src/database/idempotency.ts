import { newId, type SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { isDuplicateKey, mongoDatabase, type ClientSession } from './connection.ts';
import { sealedSecretSchema } from './sealedSecret.ts';

const keptMs = 24 * 60 * 60 * 1000;

/** A request with an `Idempotency-Key`, kept for a day. */
export type IdempotencyRecord = {
  /** Hash of the user, the operation and the key. */
  _id: string;
  operationId: string;
  /** Differs when the same key is sent with another request. */
  fingerprint: string;
  /**
   * The run that carries out the request. All writes of the run check it, so that a run given up as lost
   * cannot write.
   */
  run: string;
  /** How long the run counts as alive, unless renewed. */
  leaseUntil: Date;
  /** Set by the run's transaction. */
  committedAt?: Date;
  /**
   * The job that a run waited for when it ended without an answer: the same request goes on with that job.
   */
  job?: string;
  /** The answer, sealed because it may contain a secret. */
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
    job: String,
    answer: { type: sealedSecretSchema as never },
    expireAt: { type: Date, required: true },
  },
  { collection: 'idempotencyKeys', versionKey: false },
);
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

// ensureIndexes creates its collection and index, as for the other models.
mongoose.model('IdempotencyKey', schema);

/** The driver's collection, because pipelines with MongoDB's clock bypass the schema. */
export function idempotencyCollection() {
  return mongoDatabase().collection<IdempotencyRecord>('idempotencyKeys');
}

/**
 * Claims a key for one run of a request: the key is new, or an earlier run of the same request ended without
 * effect, or without the result of its job, which stays in the record.
 *
 * @returns the present record; `isMine` when this call made its run, `isHeld` while its run counts as alive
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
  const mayRunAgain = {
    $and: [
      isPast('$leaseUntil'),
      { $or: [isAbsent('$committedAt'), { $not: [isAbsent('$job')] }] },
      isAbsent('$answer'),
      { $eq: ['$fingerprint', fingerprint] },
    ],
  };
  const own = { _id: id, operationId, fingerprint, run, leaseUntil: inMs(leaseMs), expireAt: inMs(keptMs) };
  const again = { $mergeObjects: [own, { committedAt: '$committedAt', job: '$job' }] };
  const older = { $cond: [mayRunAgain, again, '$$ROOT'] };
  // A new record has no `expireAt` either.
  const claim = [{ $replaceWith: { $cond: [isPast('$expireAt'), own, older] } }];
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
        job: 1,
        answer: 1,
        expireAt: 1,
        isHeld: { $gt: ['$leaseUntil', '$$NOW'] },
      },
    });
  const record = await take().catch((error: unknown) => {
    // Two requests inserted the record at the same moment; the later one now finds it.
    if (isDuplicateKey(error)) return take();
    throw error;
  });
  if (!record) throw new Error('An upsert gave no record.');
  return { ...record, isMine: record.run === run, isHeld: 'isHeld' in record && record.isHeld === true };
}

type Claim = Pick<IdempotencyRecord, '_id' | 'run'>;

/** Keeps a slow request from counting as lost. */
export async function renewIdempotencyKey({ _id, run }: Claim, leaseMs: number): Promise<void> {
  await idempotencyCollection().updateOne({ _id, run }, [{ $set: { leaseUntil: inMs(leaseMs) } }]);
}

/**
 * Marks the request as carried out, in the transaction that carries it out.
 *
 * @returns false when another run has taken over the key
 */
export async function commitIdempotencyKey({ _id, run }: Claim, session: ClientSession): Promise<boolean> {
  const { matchedCount } = await idempotencyCollection().updateOne(
    { _id, run },
    { $currentDate: { committedAt: true }, $unset: { job: '' } },
    { session },
  );
  return matchedCount === 1;
}

/** Ends a successful run. Without an answer, later requests cannot be told the result. */
export async function answerIdempotencyKey(
  { _id, run }: Claim,
  answer: SealedSecret | undefined,
): Promise<void> {
  await idempotencyCollection().updateOne(
    { _id, run },
    { ...(answer && { $set: { answer } }), $currentDate: { leaseUntil: true } },
  );
}

/** Ends a run that waited for a job in vain. */
export async function keepIdempotentJob({ _id, run }: Claim, job: string): Promise<void> {
  await idempotencyCollection().updateOne(
    { _id, run },
    { $set: { job }, $currentDate: { leaseUntil: true } },
  );
}

/** Ends a refused run. Unless it had an effect, the key may be used again, also for another request. */
export async function releaseIdempotencyKey({ _id, run }: Claim): Promise<void> {
  const { deletedCount } = await idempotencyCollection().deleteOne({
    _id,
    run,
    committedAt: { $exists: false },
  });
  if (deletedCount === 0) await answerIdempotencyKey({ _id, run }, undefined);
}

/** The time `ms` after MongoDB's present time, in a pipeline. */
function inMs(ms: number): object {
  return { $add: ['$$NOW', ms] };
}
