import { mongoDatabase } from '@bindery/models';

/** One operation, as reported by MongoDB's profiler. */
type Profiled = {
  op: string;
  ns: string;
  keysExamined?: number;
  docsExamined?: number;
  nreturned?: number;
  nModified?: number;
  command: { find?: string; projection?: Record<string, number> };
};

/** Returns the operations in this test worker's database while `work` runs. */
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
      {
        projection: {
          op: 1,
          ns: 1,
          keysExamined: 1,
          docsExamined: 1,
          nreturned: 1,
          nModified: 1,
          command: 1,
        },
      },
    )
    .toArray();
  // Tests that empty all collections cannot write to this one.
  await database.dropCollection('system.profile');
  return operations;
}

/**
 * Counts the index keys and documents that MongoDB examines while `work` runs. Unlike a time, the number is
 * the same on every machine.
 */
export async function examined(work: () => Promise<unknown>): Promise<number> {
  const operations = await profiled(work);
  return operations.reduce(
    (sum, { keysExamined = 0, docsExamined = 0 }) => sum + keysExamined + docsExamined,
    0,
  );
}

/** The numbers of documents and index keys examined by MongoDB. */
export type Examined = { documents: number; keys: number };

/** Counts the documents and keys that MongoDB examines in some collections while `work` runs. */
export async function examinedBy(
  collections: readonly string[],
  work: () => Promise<unknown>,
): Promise<Examined> {
  const sums = { documents: 0, keys: 0 };
  const operations = (await profiled(work)).filter(({ ns }) => collections.includes(collectionOf(ns)));
  for (const { keysExamined = 0, docsExamined = 0 } of operations) {
    sums.keys += keysExamined;
    sums.documents += docsExamined;
  }
  if (operations.length === 0) throw new Error(`Nothing was asked of ${collections.join(', ')}.`);
  return sums;
}

/** Returns the finds in a collection while `work` runs, from any process. */
export async function findsDuring(collection: string, work: () => Promise<void>): Promise<Profiled[]> {
  return (await profiled(work)).filter(({ op, ns }) => op === 'query' && collectionOf(ns) === collection);
}

/** Removes the name of the database. */
function collectionOf(ns: string): string {
  return ns.slice(ns.indexOf('.') + 1);
}
