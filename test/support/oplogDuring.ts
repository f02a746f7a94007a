import { mongoDatabase } from '@bindery/models';
import { BSON, type Document, type Timestamp } from 'mongodb';

/** Does `work` and returns the bytes of all that this process's database had to replicate meanwhile. */
export async function oplogDuring(work: () => Promise<void>): Promise<number> {
  const startedAt = await clusterTime();
  await work();
  const endedAt = await clusterTime();
  const { databaseName, client } = mongoDatabase();
  const entries = client
    .db('local')
    .collection('oplog.rs')
    .find<Document>(
      {
        ts: { $gt: startedAt, $lte: endedAt },
        // Transactions are one entry for all that they write.
        $or: [{ ns: { $regex: `^${databaseName}\\.` } }, { 'o.applyOps.ns': { $regex: `^${databaseName}\\.` } }],
      },
      // Also what is not on the disk yet.
      { readConcern: { level: 'local' } },
    );
  let bytes = 0;
  for await (const entry of entries) bytes += BSON.calculateObjectSize(entry);
  return bytes;
}

/** The time of the newest write of the whole MongoDB. */
async function clusterTime(): Promise<Timestamp> {
  const { operationTime } = await mongoDatabase().command({ ping: 1 });
  return operationTime as Timestamp;
}
