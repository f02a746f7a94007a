import mongoose from 'mongoose';
import { mongoClient, mongoDatabase } from './connection.ts';

const { BSON } = mongoose.mongo;

/** Reads all records of one moment, as the bytes that MongoDB stores. */
export type Snapshot = {
  /** Streams the records of a collection in the order of their ids; none when it does not exist. */
  records(collection: string): AsyncIterable<Uint8Array>;
  /** Its moment, in whole seconds of MongoDB's clock; known after the first read. */
  takenAt(): Date;
};

/**
 * Reads from a snapshot: every read sees the database at the moment of the first one.
 *
 * MongoDB keeps the past only for `minSnapshotHistoryWindowInSeconds`, 5 minutes by default, so that the last
 * read must have ended by then.
 *
 * @throws SnapshotTooOld  when the reads took longer
 * @throws SnapshotUnavailable  when a collection or an index was made meanwhile; before version 7, MongoDB
 *   cannot read such a collection in the past
 */
export async function withSnapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const session = mongoClient().startSession({ snapshot: true, causalConsistency: false });
  try {
    return await work({
      records: (collection) => rawRecords(collection, {}, { sort: { _id: 1 }, session, snapshot: true }),
      takenAt: () => momentOf(session),
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === snapshotTooOld) throw new SnapshotTooOld(error);
    if (code === snapshotUnavailable) throw new SnapshotUnavailable(error);
    throw error;
  } finally {
    await session.endSession();
  }
}

const snapshotTooOld = 239;
const snapshotUnavailable = 246;

/** The driver keeps it in the session, but does not say so in its types. */
function momentOf(session: object): Date {
  const { snapshotTime } = session as { snapshotTime?: mongoose.mongo.Timestamp };
  if (!snapshotTime) throw new Error('Nothing was read from the snapshot.');
  return new Date(snapshotTime.getHighBitsUnsigned() * 1_000);
}

export class SnapshotTooOld extends Error {
  constructor(cause: unknown) {
    super('MongoDB no longer has the moment that was being read.', { cause });
  }
}

export class SnapshotUnavailable extends Error {
  constructor(cause: unknown) {
    super('A collection or an index was made since the moment that was being read.', { cause });
  }
}

/** Finds the records with these keys, as the bytes that MongoDB stores, in any order. */
export function findRawRecords(collection: string, keys: readonly string[]): AsyncIterable<Uint8Array> {
  // The note of a sweep is no part of the content.
  return rawRecords(collection, { _id: { $in: [...keys] } }, { projection: { unreachableSince: 0 } });
}

/** By default a reply has up to 16 MB, several of which would be in memory at once. */
const recordsInReply = 500;

async function* rawRecords(
  collection: string,
  filter: object,
  { snapshot = false, ...options }: mongoose.mongo.FindOptions & { snapshot?: boolean },
): AsyncIterable<Uint8Array> {
  // `snapshot` of the session does not override the read concern of the client.
  const readConcern = { level: snapshot ? ('snapshot' as const) : ('majority' as const) };
  const cursor = mongoDatabase()
    .collection(collection)
    .find(filter, { batchSize: recordsInReply, ...options, raw: true, readConcern });
  for await (const record of cursor) yield record as unknown as Uint8Array;
}

/**
 * Inserts records as they are, with the types of their numbers. All must be new.
 *
 * @param records  BSON
 * @param change  changes a record first; its numbers are the objects of the driver
 */
export async function insertRawRecords(
  collection: string,
  records: readonly Uint8Array[],
  change: (record: Record<string, unknown>) => void = () => {},
): Promise<void> {
  const documents = records.map((bytes) =>
    BSON.deserialize(bytes, { promoteValues: false, promoteLongs: false, bsonRegExp: true }),
  );
  documents.forEach(change);
  await mongoDatabase().collection(collection).insertMany(documents, { ordered: false });
}

export function decodeRecord(bytes: Uint8Array): Record<string, unknown> {
  return BSON.deserialize(bytes, { promoteBuffers: true });
}

export function encodeRecord(record: Record<string, unknown>): Uint8Array {
  return BSON.serialize(record);
}
