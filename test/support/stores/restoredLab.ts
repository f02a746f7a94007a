import { closeJobs, connectJobs } from '@bindery/jobs';
import { connectMongo, disconnectMongo, mongoClient } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import type { FaultLab } from '../processes/faultLab.ts';
import { namedStores } from '../processes/launcher.ts';

/** Stores that are as empty as those of a new host: a database, and queues under a prefix. */
export const restoredStores = namedStores('restored');

/** Empties these stores. */
export async function emptyRestoredStores(lab: FaultLab): Promise<void> {
  await mongoClient().db('restored').dropDatabase();
  const keys = await lab.redis.keys('restored*');
  if (keys.length > 0) await lab.redis.del(...keys);
}

/** Runs `work` while the models of this process read from the restored database. */
export async function inRestored<T>(lab: FaultLab, work: () => Promise<T>): Promise<T> {
  await closeJobs();
  await disconnectMongo();
  await connectMongo(loadConfig({ ...process.env, ...restoredStores }));
  try {
    return await work();
  } finally {
    await disconnectMongo();
    await connectMongo(lab.config);
    connectJobs(lab.config);
  }
}
