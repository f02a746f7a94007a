import { isDeepStrictEqual } from 'node:util';
import mongoose, { type Model } from 'mongoose';
import { hasCode, mongoDatabase } from './connection.ts';

/**
 * Creates every collection and index that the platform needs and that does not exist. Safe to run at any time and by several processes at once.
 *
 * Transactions may not wait for a collection to appear while another one creates it, so all are made here, before anything is served.
 * An index leaves out records with `$exists: true`: from `$type` MongoDB does not conclude that a query for a value is about the others only.
 */
export async function ensureIndexes(): Promise<void> {
  const models = Object.values(mongoose.connection.models) as Model<unknown>[];
  const there = new Set((await mongoDatabase().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  await Promise.all(
    models.map(async (model) => {
      if (!there.has(model.collection.collectionName)) await model.createCollection();
      try {
        await createIndexesOf(model);
      } catch (error) {
        if (!isIndexConflict(error)) throw error;
        await dropOutdated(model);
        await createIndexesOf(model);
      }
    }),
  );
  await dropRetired();
}

/** Indexes of earlier versions of the platform that no query uses any more, by collection. */
const retired = {
  jobs: ['queue_1_state_1_organization_1_createdAt_1', 'lane_1_state_1_createdAt_1'],
  webhookDeliveries: ['state_1_endpoint_1_nextAttemptAt_1'],
};

async function dropRetired(): Promise<void> {
  for (const [name, indexes] of Object.entries(retired)) {
    const collection = mongoDatabase().collection(name);
    const there = await collection.indexes();
    for (const index of indexes.filter((one) => there.some((other) => other.name === one))) await dropIndex(collection, index);
  }
}

/** All indexes of a collection in one command: every start of a worker asks for them, and nearly always they are there. */
async function createIndexesOf(model: Model<unknown>): Promise<void> {
  const indexes = model.schema.indexes().map(([key, { background: _unused, ...options }]) => ({ key, ...options }));
  if (indexes.length > 0) await model.collection.createIndexes(indexes as Parameters<typeof model.collection.createIndexes>[0]);
}

/** An index with these keys is there, with other options: an earlier version of the platform made it. */
function isIndexConflict(error: unknown): boolean {
  return hasCode(error, 85) || hasCode(error, 86);
}

/** Only those that are made anew: an index that somebody else has added is not ours. */
async function dropOutdated(model: Model<unknown>): Promise<void> {
  const { toDrop } = await model.diffIndexes();
  const wanted = model.schema.indexes().map(([keys]) => keys);
  for (const { name, key } of await model.collection.indexes()) {
    if (name !== undefined && toDrop.includes(name) && wanted.some((keys) => isDeepStrictEqual(keys, key))) {
      await dropIndex(model.collection, name);
    }
  }
}

async function dropIndex(collection: { dropIndex(name: string): Promise<unknown> }, name: string): Promise<void> {
  await collection.dropIndex(name).catch((error: unknown) => {
    // Another process has dropped it at the same moment.
    if (!hasCode(error, 27)) throw error;
  });
}
