import mongoose, { type ClientSession } from 'mongoose';

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
}

export async function disconnectMongo(): Promise<void> {
  await mongoose.disconnect();
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
  return mongoose.connection.withSession((session) => session.withTransaction(() => work(session)));
}

/** Whether an error is MongoDB's refusal of a second value in a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 11000;
}

export type { ClientSession };
