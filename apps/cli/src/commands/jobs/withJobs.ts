import { awaitRedis, closeJobs, connectJobs } from '@bindery/jobs';
import { homeFolder } from '../../launcher/data-folder/folders.ts';
import { readRunFile } from '../../launcher/data-folder/runFile.ts';
import { parseConfig } from '../../parseConfig.ts';
import { Refusal } from '../../refusal.ts';
import { withDatabase } from '../openDatabase.ts';

/** A Redis that hangs accepts connections and never answers. */
const redisMs = 3_000;

/**
 * Runs `work` with connections to the database and to Redis of an installation: those named by MONGODB_URI
 * and REDIS_URL, else those run by `bindery up`. Without an answer of Redis, `work` runs too.
 *
 * @throws Refusal when neither database is there, and when Redis is not named
 */
export async function withJobs<T>(
  { data, environment }: { data: string | undefined; environment: NodeJS.ProcessEnv },
  work: () => Promise<T>,
): Promise<T> {
  return withDatabase({ data, environment }, async () => {
    const redisUrl = environment.REDIS_URL || readRunFile(homeFolder(data))?.redisUrl;
    if (!redisUrl)
      throw new Refusal('REDIS_URL is not set.', ['Set it to the Redis of the database in MONGODB_URI.']);
    const config = parseConfig({
      ...environment,
      REDIS_URL: redisUrl,
      // These commands read and write no secret, and the connection to the database is open.
      MONGODB_URI: environment.MONGODB_URI || 'mongodb://127.0.0.1',
      BINDERY_SECRET_KEY: environment.BINDERY_SECRET_KEY || '0'.repeat(64),
    });
    connectJobs(config);
    // Without Redis a job is retried all the same, and the sweeper dispatches it.
    await awaitRedis({ signal: AbortSignal.timeout(redisMs) }).catch(() => {});
    try {
      return await work();
    } finally {
      await closeJobs();
    }
  });
}
