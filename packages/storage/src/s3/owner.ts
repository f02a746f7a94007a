import { randomBytes } from 'node:crypto';
import { type Db, MongoServerError } from 'mongodb';

/** Its record is of this database and belongs into no other. */
export const ownerCollection = 'blobs.owner';

/**
 * Returns a function that reads the name under which this database stores objects, and makes one at its first
 * use. Each database has another name, also one into which a backup was restored: of the objects in a bucket
 * without a record, a database removes only those that it has written itself.
 */
export function findOwner(database: Db): () => Promise<string> {
  const owners = database.collection<{ _id: 'owner'; name: string }>(ownerCollection);
  const read = async () =>
    owners.findOneAndUpdate(
      { _id: 'owner' },
      { $setOnInsert: { name: randomBytes(6).toString('hex') } },
      { upsert: true, returnDocument: 'after' },
    );
  let known: string | undefined;
  return async () => {
    known ??= (
      await read().catch(async (error: unknown) => {
        // Another process has just made it.
        if (error instanceof MongoServerError && error.code === 11000) return read();
        throw error;
      })
    )?.name;
    if (known === undefined) throw new Error('MongoDB returned no owner of objects.');
    return known;
  };
}
