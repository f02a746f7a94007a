import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { surroundings } from '../../apps/cli/src/launcher/startStores.ts';
import { createTemporaryFolder, removeFolder } from '../../apps/cli/src/launcher/temporaryFolder.ts';
import { findOnPath } from '../../apps/cli/src/services/probeBinary.ts';
import { provideService } from '../../apps/cli/src/services/provideService.ts';
import { redis } from '../../apps/cli/src/services/redis.ts';
import { planRedisServer } from '../../apps/cli/src/services/redisServer.ts';

const startAttempts = 10;

/** A Redis of the test's own, with its append-only file, to be killed, paused and emptied. */
export type OwnRedis = {
  url: string;
  hostPort: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on its port with what its file holds; does nothing while it runs. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
};

async function ownEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { REDIS_URL: _shared, ...environment } = process.env;
  if (environment.BINDERY_TEST_REDIS === 'redis') environment.REDIS_SERVER_BINARY ??= await findOnPath('redis-server', environment.PATH);
  return environment;
}

async function provideRedis(environment: NodeJS.ProcessEnv, folder: string) {
  const provided = await provideService(redis, { surroundings: surroundings(environment), say: () => {}, folder });
  if (provided.kind === 'url') throw new Error('A Redis of our own has no URL from outside.');
  return provided;
}

/** The program of the Redis that the tests run on. */
export async function findRedis(): Promise<string> {
  const folder = await createTemporaryFolder('bindery-test-redis-');
  try {
    return (await provideRedis(await ownEnvironment(), folder)).path;
  } finally {
    await removeFolder(folder);
  }
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const folder = await createTemporaryFolder('bindery-test-redis-');
  const environment = await ownEnvironment();
  const { program, port } = await planRedisServer(await provideRedis(environment, folder), { folder, environment });
  let child: ChildProcess | undefined;

  /** @returns undefined once it is ready, else what it printed before it ended */
  const tryToStart = async (): Promise<string | undefined> => {
    const started = spawn(program.command, program.args, {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore', ...(program.hasChannel ? ['ipc' as const] : [])],
    });
    child = started;
    const lines: string[] = [];
    for await (const line of createInterface({ input: started.stdout! })) {
      lines.push(line);
      if (!program.isReadyLine?.(line)) continue;
      // Its pipe must not fill up.
      started.stdout?.resume();
      return undefined;
    }
    return lines.join('\n');
  };
  const start = async () => {
    if (child && child.exitCode === null && child.signalCode === null) return;
    let problem: string | undefined;
    // Its port was free while it was down: somebody else may have had it for a moment.
    for (let attempt = 0; attempt < startAttempts; attempt += 1) {
      problem = await tryToStart();
      if (problem === undefined) return;
      await delay(500);
    }
    throw new Error(`Redis does not start on port ${port}:\n${problem}`);
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    hostPort: `127.0.0.1:${port}`,
    start,
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    close: async () => {
      await kill();
      await removeFolder(folder);
    },
  };
}
