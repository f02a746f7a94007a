import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { redis } from '../../../apps/cli/src/services/redis.ts';
import { ownRedisUrl, planRedisServer } from '../../../apps/cli/src/services/redisServer.ts';
import { removeSocket } from '../../../apps/cli/src/services/storeSocket.ts';
import { environmentOfOwnStores, provideStore, storeProcess } from './storeProcess.ts';

/** A Redis of the test's own, with its append-only file, which can be killed, paused and emptied. */
export type OwnRedis = {
  url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Restarts it with the data of its file; does nothing while it runs. */
  start(): Promise<void>;
  pause(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
};

/** Finds the program of the Redis that the tests use. */
export async function findRedis(): Promise<string> {
  const folder = await createTemporaryFolder('bindery-test-redis-');
  try {
    return (await provideStore(redis, folder)).path;
  } finally {
    await removeFolder(folder);
  }
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const folder = await createTemporaryFolder('bindery-test-redis-');
  const environment = environmentOfOwnStores();
  const { program, socket } = await planRedisServer(await provideStore(redis, folder), {
    folder,
    environment,
  });
  const { start, kill, freeze, thaw } = storeProcess(program);
  await start();
  return {
    url: ownRedisUrl(socket),
    start,
    kill,
    pause: freeze,
    resume: thaw,
    close: async () => {
      await kill();
      await removeSocket(socket);
      await removeFolder(folder);
    },
  };
}
