import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '@bindery/contract';
import mongoose, { type ClientSession } from 'mongoose';
import { followDatabaseClock } from './databaseClock.ts';

mongoose.set('strictQuery', 'throw');
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);
mongoose.set('bufferCommands', false);
mongoose.set('runValidators', true);

/**
 * Connects this process to MongoDB. Reads and writes are majority and journaled: what was answered survives an election and a crash.
 *
 * @throws when no primary answers within `timeoutMs` (default 10 s)
 */
export async function connectMongo(config: { mongo: { uri: string } }, { timeoutMs = 10_000 }: { timeoutMs?: number } = {}): Promise<void> {
  await mongoose.connect(config.mongo.uri, {
    serverSelectionTimeoutMS: timeoutMs,
    socketTimeoutMS: 60_000,
    maxPoolSize: 50,
    retryWrites: true,
    retryReads: true,
    w: 'majority',
    journal: true,
    readConcernLevel: 'majority',
  });
  await followDatabaseClock(mongoClient());
}

export async function disconnectMongo(): Promise<void> {
  await mongoose.disconnect();
}

/** The driver's client. */
export function mongoClient() {
  return mongoose.connection.getClient();
}

/** The database handle of the driver, for GridFS. */
export function mongoDatabase() {
  const database = mongoose.connection.db;
  if (!database) throw new Error('connectMongo was not called.');
  return database;
}

/** Answers when the primary does; throws when it does not within `timeoutMs`. */
export async function pingMongo(timeoutMs: number): Promise<void> {
  await mongoDatabase().command({ ping: 1 }, { timeoutMS: timeoutMs });
}

/** Runs `work` in one transaction; it is run again when MongoDB asks for that, so it must not have other effects. */
export async function withTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const first = firstCommit.getStore();
  const result = await mongoose.connection.withSession((session) =>
    session
      .withTransaction(async () => {
        const done = await work(session);
        if (first?.isAwaited) await first.write(session);
        return done;
      })
      .catch((error: unknown) => {
        throw isTooLarge(error) ? tooLarge(error) : error;
      }),
  );
  if (first) first.isAwaited = false;
  return result;
}

const firstCommit = new AsyncLocalStorage<{ write: (session: ClientSession) => Promise<void>; isAwaited: boolean }>();

/**
 * Runs `work`, and lets `write` add to the first transaction that commits in it: both are stored, or neither is.
 *
 * The first one, because from then on something has been done that must not be done again; what `write` throws ends that transaction. It is called
 * anew whenever the transaction is run anew, and not any more after `work` has ended.
 */
export async function withFirstCommit<T>(write: (session: ClientSession) => Promise<void>, work: () => Promise<T>): Promise<T> {
  const state = { write, isAwaited: true };
  try {
    return await firstCommit.run(state, work);
  } finally {
    state.isAwaited = false;
  }
}

/** Whether something wants to be stored together with the next write: then that has to be a transaction. */
export function isCommitAwaited(): boolean {
  return firstCommit.getStore()?.isAwaited ?? false;
}

/** TransactionTooLargeForCache: what one transaction writes, its index entries included, has to fit into MongoDB's cache. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 388;
}

function tooLarge(cause: unknown): ApiError {
  return new ApiError('conflict', 'This would change more at once than the database takes in one step; nothing was changed.', {
    action: 'Do it in parts: move or delete some of what is in it first. The operator can give MongoDB a larger cache.',
    cause,
  });
}

/** Whether an error is MongoDB's refusal of a second value in a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 11000;
}

export type { ClientSession };
