import { connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';
import { connectRedis, findRedisProblems, scrubSecrets, messageOf } from '@bindery/runtime';
import { parseConfig } from '../parseConfig.ts';
import { Refusal } from '../refusal.ts';
import { mongodb } from './mongodb.ts';
import { redis } from './redis.ts';
import { firstVersion, isAtLeast, versionText } from './service.ts';

/**
 * Checks whether the platform can use an external MongoDB.
 *
 * @returns its version
 * @throws Refusal when it does not answer, is too old, or is not a replica set
 */
export async function checkMongodb(uri: string): Promise<string> {
  const shown = scrubSecrets(uri);
  try {
    await connectMongo({ mongo: { uri } }, { timeoutMs: 5_000 });
  } catch (error) {
    throw new Refusal(
      `MongoDB at ${shown} does not answer: ${scrubSecrets(messageOf(error))}`,
      [
        'Check MONGODB_URI and that the server runs and has a primary; or unset MONGODB_URI to have one started here.',
      ],
      { cause: error },
    );
  }
  try {
    const admin = mongoDatabase().admin();
    const version = firstVersion(String((await admin.command({ buildInfo: 1 })).version));
    if (!version || !isAtLeast(version, mongodb.minimumVersion)) {
      throw new Refusal(
        `MongoDB at ${shown} is too old: ${version ? versionText(version) : 'unknown version'}, at least 6.0 is needed.`,
        [...mongodb.fixes],
      );
    }
    const { setName, msg } = await admin.command({ hello: 1 });
    if (!setName && msg !== 'isdbgrid') {
      throw new Refusal(`MongoDB at ${shown} is not a replica set, so it has no transactions.`, [
        'Start it with `--replSet rs0` and run `rs.initiate()` once in mongosh; one node is enough.',
      ]);
    }
    return versionText(version);
  } finally {
    await disconnectMongo();
  }
}

/**
 * Checks whether the platform can use an external Redis.
 *
 * @returns its version, and a warning when its settings harm the dispatch of jobs
 * @throws Refusal when the URL is invalid, or the server does not answer or is too old
 */
export async function checkRedis(url: string): Promise<{ version: string; warning?: string }> {
  const shown = scrubSecrets(url);
  // Only the connection is needed; the other required variables do not affect it.
  const config = parseConfig({
    REDIS_URL: url,
    MONGODB_URI: 'mongodb://127.0.0.1',
    BINDERY_SECRET_KEY: '0'.repeat(64),
  });
  const connection = connectRedis(config, 'worker');
  try {
    const info = await answer(connection.info(), 5_000);
    const version = firstVersion(/redis_version:[\d.]+/.exec(info)?.[0] ?? '');
    if (!version || !isAtLeast(version, redis.minimumVersion)) {
      throw new Refusal(
        `Redis at ${shown} is too old: ${version ? versionText(version) : 'unknown version'}, at least 6.2 is needed.`,
        redis.fixes,
      );
    }
    const warning = findRedisProblems(info)
      .map(({ problem, fix }) => `${problem}; ${fix}`)
      .join('; ');
    return { version: versionText(version), warning: warning || undefined };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      `Redis at ${shown} does not answer: ${scrubSecrets(messageOf(error))}`,
      ['Check REDIS_URL and that the server runs; or unset REDIS_URL to have one started here.'],
      { cause: error },
    );
  } finally {
    connection.disconnect();
  }
}

function answer<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
