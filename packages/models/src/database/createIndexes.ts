import { isDeepStrictEqual } from 'node:util';
import mongoose, { type Model } from 'mongoose';
import { hasCode, mongoDatabase } from './connection.ts';

/**
 * Creates the missing collections and indexes in any database. Safe to run at any time and in several
 * processes at once.
 *
 * A transaction cannot wait for a collection that another one creates, so all are created here, before the
 * first request. Partial indexes use `$exists: true`: from `$type` MongoDB does not infer that a query for a
 * value can use the index.
 */
export async function createIndexes(): Promise<void> {
  const models = Object.values(mongoose.connection.models) as Model<unknown>[];
  const there = new Set(
    (await mongoDatabase().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  );
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
  jobs: [
    'queue_1_state_1_organization_1_createdAt_1',
    'queue_1_state_1_waiting.reason_1_organization_1_runAfter_1_createdAt_1',
    'lane_1_state_1_createdAt_1',
    'createdAt_1',
  ],
  spaces: ['deletedAt_1'],
  webhookDeliveries: ['state_1_endpoint_1_nextAttemptAt_1'],
};

async function dropRetired(): Promise<void> {
  for (const [name, indexes] of Object.entries(retired)) {
    const collection = mongoDatabase().collection(name);
    const there = await collection.indexes();
    for (const index of indexes.filter((one) => there.some((other) => other.name === one)))
      await dropIndex(collection, index);
  }
}

/**
 * Creates all indexes of a collection in one command: every start of a worker asks for them, and they nearly
 * always exist.
 */
async function createIndexesOf(model: Model<unknown>): Promise<void> {
  const indexes = model.schema
    .indexes()
    .map(([key, { background: _unused, ...options }]) => ({ key, ...options }));
  if (indexes.length > 0)
    await model.collection.createIndexes(indexes as Parameters<typeof model.collection.createIndexes>[0]);
}

/**
 * Whether an index with these keys exists with other options, created by an earlier version of the platform.
 */
function isIndexConflict(error: unknown): boolean {
  return hasCode(error, 85) || hasCode(error, 86);
}

/** Drops only the indexes that are created anew; an index added by an operator stays. */
async function dropOutdated(model: Model<unknown>): Promise<void> {
  const { toDrop } = await model.diffIndexes();
  const wanted = model.schema.indexes().map(([keys]) => keys);
  for (const { name, key } of await model.collection.indexes()) {
    if (name !== undefined && toDrop.includes(name) && wanted.some((keys) => isDeepStrictEqual(keys, key))) {
      await dropIndex(model.collection, name);
    }
  }
}

async function dropIndex(
  collection: { dropIndex(name: string): Promise<unknown> },
  name: string,
): Promise<void> {
  await collection.dropIndex(name).catch((error: unknown) => {
    // Another process dropped it at the same moment.
    if (!hasCode(error, 27)) throw error;
  });
}
