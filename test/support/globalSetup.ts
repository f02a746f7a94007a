import type { TestProject } from 'vitest/node';
import { Refusal } from '../../apps/cli/src/refusal.ts';
import { findOnPath } from '../../apps/cli/src/services/probeBinary.ts';
import { watchProcesses } from './leftProcesses.ts';
import { startThrowAwayStores } from './throwAwayStores.ts';

/** More than there will be test workers. */
const redisDatabases = 65;

declare module 'vitest' {
  interface ProvidedContext {
    mongodbOrigin: string;
    redisOrigin: string;
  }
}

/**
 * Starts the stores for one run of the tests, from the same places as `npm start` does, and ends them.
 *
 * Those that a run left behind because it was killed have ended by themselves (they are bound to their parent's life); their folders are swept here.
 * The run fails when a test left a process.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const findLeft = watchProcesses();
  try {
    const stores = await startThrowAwayStores({
      environment: await storeEnvironment(),
      prefix: 'bindery-tests-',
      say: (line) => console.log(`stores: ${line}`),
      redisDatabases,
    });
    project.provide('mongodbOrigin', stores.mongodbUri);
    project.provide('redisOrigin', stores.redisUrl);
    return async () => {
      await stores.stop();
      const left = await findLeft();
      if (left.length === 0) return;
      console.error(
        `Tests left these processes, which are ended now:\n${left.map(({ pid, command }) => `  ${pid} ${command}`).join('\n')}`,
      );
      for (const { pid } of left) process.kill(pid, 'SIGKILL');
      process.exitCode = 1;
    };
  } catch (error) {
    throw error instanceof Refusal ? new Error(error.text, { cause: error }) : error;
  }
}

/** Never the stores that the environment names for real use: tests empty what they are given. */
async function storeEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...environment } = process.env;
  if (environment.BINDERY_TEST_REDIS !== 'redis') return environment;
  const binary = await findOnPath('redis-server', environment.PATH);
  if (!binary) throw new Error('BINDERY_TEST_REDIS=redis needs redis-server on PATH (Debian: `apt-get install redis-server`).');
  return { ...environment, REDIS_SERVER_BINARY: binary };
}
