import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '@bindery/contract';
import { mongoCommands } from '@bindery/metrics';
import { mongoStateChanges } from '@bindery/runtime';
import mongoose, { type ClientSession } from 'mongoose';
import { followDatabaseClock } from './databaseClock.ts';

mongoose.set('strictQuery', 'throw');
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);
mongoose.set('bufferCommands', false);
mongoose.set('runValidators', true);

/**
 * How long a process waits for a MongoDB that does not answer. The driver sends a heartbeat to each server
 * every `heartbeatFrequencyMS`; a server silent for `connectTimeoutMS` beyond that fails all its operations,
 * and later ones wait `serverSelectionTimeoutMS` for a server that answers. Reads and single writes are
 * retried once. So none of this ends an operation that is merely slow; only `socketTimeoutMS` does, where it
 * is set.
 */
const patience = {
  /**
   * A user waits: an answer or a refusal comes after about 8 seconds, also when the operation hangs in a live
   * MongoDB.
   */
  requests: {
    heartbeatFrequencyMS: 1_000,
    connectTimeoutMS: 4_000,
    serverSelectionTimeoutMS: 2_500,
    socketTimeoutMS: 8_000,
    waitQueueTimeoutMS: 8_000,
  },
  /**
   * A process that is busy for seconds must not mistake its own silence for MongoDB's; long aggregations and
   * index builds need time. A replica set elects a new primary 10 to 12 s after the old one has died: a job
   * waits for that instead of beginning anew.
   */
  work: {
    heartbeatFrequencyMS: 5_000,
    connectTimeoutMS: 10_000,
    serverSelectionTimeoutMS: 15_000,
    socketTimeoutMS: 60_000,
  },
} as const;

/**
 * Connects this process to MongoDB. Reads and writes use majority and the journal, so that an answered write
 * survives an election and a crash.
 *
 * @param serves  `requests` for a process in which a caller waits for each operation
 * @param timeoutMs  how long to look for a primary, now and later (default 15 s; with `requests` 2.5 s)
 * @throws when no primary answers within that time
 */
export async function connectMongo(
  config: { mongo: { uri: string }; metrics?: { port: number } },
  { serves = 'work', timeoutMs }: { serves?: keyof typeof patience; timeoutMs?: number } = {},
): Promise<void> {
  const isMeasured = config.metrics !== undefined && config.metrics.port > 0;
  await mongoose.connect(config.mongo.uri, {
    ...patience[serves],
    ...(timeoutMs !== undefined && { serverSelectionTimeoutMS: timeoutMs }),
    maxPoolSize: 50,
    retryWrites: true,
    retryReads: true,
    w: 'majority',
    journal: true,
    readConcernLevel: 'majority',
    // Also if the URI prefers secondaries, which are behind: each request reads what the one before it wrote.
    readPreference: 'primary',
    appName: clientName(config.mongo.uri),
    monitorCommands: isMeasured,
  });
  if (isMeasured) measureCommands();
  await followDatabaseClock(mongoClient());
}

/** Leaves out `getMore`, which may wait for the next change of a stream. */
function measureCommands(): void {
  const end =
    (outcome: 'ok' | 'failed') =>
    ({ commandName: command, duration }: { commandName: string; duration: number }) => {
      if (command !== 'getMore') mongoCommands.observe({ command, outcome }, duration / 1_000);
    };
  mongoClient().on('commandSucceeded', end('ok')).on('commandFailed', end('failed'));
}

/**
 * The name by which the processes of this installation recognize each other's transactions; it includes the
 * database, because a MongoDB may have several.
 */
function clientName(uri: string): string {
  const [, database = ''] = /^[a-z+]+:\/\/[^/]*\/([^?]*)/.exec(uri) ?? [];
  return `bindery/${database}`.slice(0, 128);
}

export async function disconnectMongo(): Promise<void> {
  await mongoose.disconnect();
}

/** Returns the driver's client. */
export function mongoClient() {
  return mongoose.connection.getClient();
}

/** Returns the driver's database handle, for GridFS. */
export function mongoDatabase() {
  const database = mongoose.connection.db;
  if (!database) throw new Error('connectMongo was not called.');
  return database;
}

/** Resolves when the primary answers; throws when it does not within `timeoutMs`. */
export async function pingMongo(timeoutMs: number): Promise<void> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  // The driver's option of that name has no effect.
  const timer = setTimeout(
    () => reject(new Error(`MongoDB did not answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    await Promise.race([mongoDatabase().command({ ping: 1 }), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs `work` in a transaction, again whenever MongoDB asks for a retry, so it must have no other effects.
 *
 * @throws MongoDB's error when it stays unreachable, or without a primary, for as long as this process waits;
 *   the driver would retry for two minutes
 */
export async function withTransaction<T>(
  work: (session: ClientSession) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const first = firstCommit.getStore();
  const condition = firstCondition.getStore();
  const startedMs = performance.now();
  const workIn = async (session: ClientSession) => {
    if (condition?.isAwaited) await condition.check(session);
    const done = await work(session);
    if (first?.isAwaited) await first.write(session);
    return done;
  };
  const result = await mongoose.connection.withSession((session) =>
    session
      .withTransaction(async () => {
        const done = await workIn(session).catch((error: unknown) => {
          throw isAway(error) && hasWaited(startedMs) ? new MongoUnreachable(error) : error;
        });
        await commit(session, startedMs);
        return done;
      }, options)
      .catch((error: unknown) => {
        if (error instanceof MongoUnreachable) throw error.cause;
        throw isTooLarge(error) ? tooLarge(error) : error;
      }),
  );
  if (first) first.isAwaited = false;
  if (condition) condition.isAwaited = false;
  return result;
}

type TransactionOptions = { writeConcern?: { w: number; j: boolean } };

/** Commits, and retries when the result is unknown. The driver would retry for two minutes. */
async function commit(session: ClientSession, startedMs: number): Promise<void> {
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const isUnknown = hasLabel(error, 'UnknownTransactionCommitResult') && !hasCode(error, maxTimeExpired);
      if (!isUnknown || hasWaited(startedMs)) throw error;
    }
  }
}

const maxTimeExpired = 50;

/** The driver does not retry after an error that is not its own. */
class MongoUnreachable extends Error {
  constructor(cause: unknown) {
    super('MongoDB cannot be reached.', { cause });
  }
}

/**
 * Whether the error comes from the driver (no connection, no answer, no primary), or from a server that is
 * not the primary. Others, such as a conflict of two writes, may go away however long it takes.
 */
function isAway(error: unknown): boolean {
  if (!(error instanceof mongoose.mongo.MongoError)) return false;
  if (!(error instanceof mongoose.mongo.MongoServerError)) return true;
  return mongoStateChanges.has(Number(error.code));
}

function hasWaited(sinceMs: number): boolean {
  const { serverSelectionTimeoutMS } = mongoClient().options;
  return performance.now() - sinceMs >= serverSelectionTimeoutMS;
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof mongoose.mongo.MongoError && error.hasErrorLabel(label);
}

/** Whether an error is MongoDB's error with this code. */
export function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

const firstCommit = new AsyncLocalStorage<{
  write: (session: ClientSession) => Promise<void>;
  isAwaited: boolean;
}>();

/**
 * Runs `work`, and calls `write` in the first transaction that commits in it: both are stored, or neither is.
 *
 * The first one, because after it a step is done that must not be repeated; an error of `write` aborts that
 * transaction. `write` runs again whenever the transaction does, but not after `work` has ended.
 */
export async function withFirstCommit<T>(
  write: (session: ClientSession) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const state = { write, isAwaited: true };
  try {
    return await firstCommit.run(state, work);
  } finally {
    state.isAwaited = false;
  }
}

const firstCondition = new AsyncLocalStorage<{
  check: (session: ClientSession | undefined) => Promise<void>;
  isAwaited: boolean;
}>();

/**
 * Runs `work` on a condition: its first transaction begins with `check`, so that the condition still holds at
 * the commit. Work without a transaction writes nothing (`singleWrite`); then `check` runs at its end.
 *
 * @throws the errors of `check`; then nothing is written
 */
export async function withCondition<T>(
  check: (session: ClientSession | undefined) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const state = { check, isAwaited: true };
  try {
    const result = await firstCondition.run(state, work);
    if (state.isAwaited) await check(undefined);
    return result;
  } finally {
    state.isAwaited = false;
  }
}

/**
 * Whether the next write must be a transaction, because a condition is checked or another write is stored
 * with it.
 */
export function isCommitAwaited(): boolean {
  return (firstCommit.getStore()?.isAwaited ?? false) || (firstCondition.getStore()?.isAwaited ?? false);
}

/**
 * Runs the only write of a request; as a transaction only when necessary, because that takes three times as
 * long.
 */
export async function singleWrite<T>(write: (session: ClientSession | undefined) => Promise<T>): Promise<T> {
  return isCommitAwaited() ? withTransaction(write) : write(undefined);
}

/**
 * TransactionTooLargeForCache: the writes of a transaction, including index entries, must fit into MongoDB's
 * cache.
 */
function isTooLarge(error: unknown): boolean {
  return hasCode(error, 388);
}

function tooLarge(cause: unknown): ApiError {
  return new ApiError(
    'conflict',
    'The change exceeds the limit of one database transaction; nothing was changed.',
    {
      action:
        'Do it in parts: move or delete some of what is in it first. The operator can give MongoDB a larger cache.',
      cause,
    },
  );
}

/** The code with which MongoDB refuses a duplicate value in a unique index. */
export const duplicateKey = 11_000;

export function isDuplicateKey(error: unknown): boolean {
  return hasCode(error, duplicateKey);
}

export type { ClientSession };
