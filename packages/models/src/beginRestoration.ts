import { mongoDatabase } from './database/connection.ts';
import { Restoration } from './database/restoration.ts';
import { isUnexpired, Lease, WorkerEntry } from './job/job.ts';

/**
 * Prepares an empty database for a restore, and marks it. Empties one that an interrupted restore has marked.
 *
 * @param ignored  collections whose records do not matter: they are removed
 * @returns the collection that has records, in a database that is in use; undefined when it is ready
 */
export async function beginRestoration(ignored: readonly string[]): Promise<string | undefined> {
  if (await WorkerEntry.exists(isUnexpired)) return 'workers';
  const collections = (await mongoDatabase().collections()).filter(
    ({ collectionName: name }) =>
      !name.startsWith('system.') && ![Restoration, Lease].some((own) => own.collection.name === name),
  );
  if (!(await Restoration.exists({ _id: 'restoration' }))) {
    for (const collection of collections)
      if (!ignored.includes(collection.collectionName) && (await collection.findOne()))
        return collection.collectionName;
    await Restoration.create({ _id: 'restoration', startedAt: new Date() });
  }
  for (const collection of collections) await collection.drop();
  return undefined;
}
