import { mongoDatabase } from '@bindery/models';

/** One operation as MongoDB's profiler tells it. */
type Profiled = {
  op: string;
  ns: string;
  keysExamined?: number;
  docsExamined?: number;
  nreturned?: number;
  nModified?: number;
  command: { find?: string; projection?: Record<string, number> };
};

/** What MongoDB does in this test worker's database while `work` runs. */
export async function profiled(work: () => Promise<unknown>): Promise<Profiled[]> {
  const database = mongoDatabase();
  await database.command({ profile: 0 });
  await database.dropCollection('system.profile').catch(() => {});
  // More than the default of 1 MB, beyond which the first operations would be dropped.
  await database.createCollection('system.profile', { capped: true, size: 64 * 1024 * 1024 });
  await database.command({ profile: 2 });
  try {
    await work();
  } finally {
    await database.command({ profile: 0 });
  }
  const operations = await database
    .collection<Profiled>('system.profile')
    .find(
      { ns: { $not: /system\.profile/ } },
      { projection: { op: 1, ns: 1, keysExamined: 1, docsExamined: 1, nreturned: 1, nModified: 1, command: 1 } },
    )
    .toArray();
  // Tests that empty all collections cannot write to this one.
  await database.dropCollection('system.profile');
  return operations;
}

/** Keys of indexes and documents that MongoDB looks at while `work` runs, together. Unlike a time it is the same on every machine. */
export async function examined(work: () => Promise<unknown>): Promise<number> {
  const operations = await profiled(work);
  return operations.reduce((sum, { keysExamined = 0, docsExamined = 0 }) => sum + keysExamined + docsExamined, 0);
}

/** The documents and index keys that MongoDB examined. */
export type Examined = { documents: number; keys: number };

/** Counts the documents and keys that MongoDB examines in some collections while `work` runs. */
export async function examinedBy(collections: readonly string[], work: () => Promise<unknown>): Promise<Examined> {
  const sums = { documents: 0, keys: 0 };
  const operations = (await profiled(work)).filter(({ ns }) => collections.includes(collectionOf(ns)));
  for (const { keysExamined = 0, docsExamined = 0 } of operations) {
    sums.keys += keysExamined;
    sums.documents += docsExamined;
  }
  if (operations.length === 0) throw new Error(`Nothing was asked of ${collections.join(', ')}.`);
  return sums;
}

/** The finds in a collection while `work` runs, whatever process sent them. */
export async function findsDuring(collection: string, work: () => Promise<void>): Promise<Profiled[]> {
  return (await profiled(work)).filter(({ op, ns }) => op === 'query' && collectionOf(ns) === collection);
}

/** Without the name of the database. */
function collectionOf(ns: string): string {
  return ns.slice(ns.indexOf('.') + 1);
}
