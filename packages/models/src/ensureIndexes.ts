import mongoose from 'mongoose';

/**
 * Creates every collection and index that the platform needs and that does not exist. Safe to run at any time and by several processes at once.
 *
 * Transactions may not wait for a collection to appear while another one creates it, so all are made here, before anything is served.
 */
export async function ensureIndexes(): Promise<void> {
  const models = Object.values(mongoose.connection.models);
  await Promise.all(
    models.map(async (model) => {
      await model.createCollection();
      await model.createIndexes();
    }),
  );
}
