import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { surroundings } from '../../../apps/cli/src/launcher/startStores.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { provideService } from '../../../apps/cli/src/services/provideService.ts';
import { redis } from '../../../apps/cli/src/services/redis.ts';
import { ownRedisUrl, planRedisServer } from '../../../apps/cli/src/services/redisServer.ts';
import { removeSocket } from '../../../apps/cli/src/services/storeSocket.ts';

/** A Redis of the test's own, with its append-only file, which can be killed, paused and emptied. */
export type OwnRedis = {
  url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it with the data of its file; does nothing while it runs. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
};

function ownEnvironment(): NodeJS.ProcessEnv {
  const { REDIS_URL: _shared, ...environment } = process.env;
  return environment;
}

async function provideRedis(environment: NodeJS.ProcessEnv, folder: string) {
  const provided = await provideService(redis, {
    surroundings: surroundings(environment),
    say: () => {},
    folder,
  });
  if (provided.kind === 'url') throw new Error('A Redis of our own has no URL from outside.');
  return provided;
}

/** Finds the program of the Redis that the tests use. */
export async function findRedis(): Promise<string> {
  const folder = await createTemporaryFolder('bindery-test-redis-');
  try {
    return (await provideRedis(ownEnvironment(), folder)).path;
  } finally {
    await removeFolder(folder);
  }
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const folder = await createTemporaryFolder('bindery-test-redis-');
  const environment = ownEnvironment();
  const { program, socket } = await planRedisServer(await provideRedis(environment, folder), {
    folder,
    environment,
  });
  let child: ChildProcess | undefined;

  const start = async () => {
    if (child && child.exitCode === null && child.signalCode === null) return;
    const started = spawn(program.command, program.args, {
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore', ...(program.hasChannel ? ['ipc' as const] : [])],
    });
    child = started;
    const lines: string[] = [];
    for await (const line of createInterface({ input: started.stdout! })) {
      lines.push(line);
      if (!program.isReadyLine?.(line)) continue;
      // Drained, so that its pipe does not fill up.
      started.stdout?.resume();
      return;
    }
    throw new Error(`Redis does not start:\n${lines.join('\n')}`);
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: ownRedisUrl(socket),
    start,
    kill,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    close: async () => {
      await kill();
      await removeSocket(socket);
      await removeFolder(folder);
    },
  };
}
