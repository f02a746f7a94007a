import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import { guardedCommand } from '../../../apps/cli/src/services/guardedCommand.ts';
import { redis } from '../../../apps/cli/src/services/redis.ts';
import { planRedisServer } from '../../../apps/cli/src/services/redisServer.ts';
import type { FoundBinary } from '../../../apps/cli/src/services/resolveService.ts';
import { removeSocket } from '../../../apps/cli/src/services/storeSocket.ts';
import { until } from '../until.ts';
import { environmentOfOwnStores, provideStore, storeProcess, type StoreProcess } from './storeProcess.ts';

/** A primary, a replica and three sentinels on loopback, with passwords. */
export type OwnSentinels = {
  url: string;
  /** The passwords, which may appear nowhere. */
  secrets: readonly string[];
  /** SIGKILL of the primary. */
  killPrimary(): Promise<void>;
  /** SIGSTOP of the primary: its connections stay open, like those to a machine that is gone. */
  freezePrimary(): Promise<void>;
  /** Has the sentinels exchange the two servers, as before an upgrade. */
  exchange(): Promise<void>;
  /** Starts and thaws what was killed and frozen, and waits until a replica follows the primary. */
  restore(): Promise<void>;
  close(): Promise<void>;
};

type Server = StoreProcess & { port: number; remove(): Promise<void> };

const primaryName = 'bindery-primary';
const serverPassword = 'p4ssw0rd+of/the-servers';
const sentinelPassword = 'p4ssw0rd+of/the-sentinels';
/** How long a primary must be silent before it counts as down; the default is 30 s. */
const downAfterMs = 2_000;

export async function startOwnSentinels(): Promise<OwnSentinels> {
  const folder = await createTemporaryFolder('bindery-test-sentinels-');
  const binary = await provideStore(redis, folder);
  const servers: Server[] = [];
  const sentinels: Server[] = [];
  const close = async () => {
    for (const { kill, remove } of [...sentinels, ...servers]) {
      await kill();
      await remove();
    }
    await removeFolder(folder);
  };
  /** Asks one sentinel. */
  const ask = async (...args: [string, ...string[]]): Promise<unknown> => {
    const sentinel = new Redis({ port: sentinels[0]!.port, password: sentinelPassword });
    try {
      return await sentinel.call('SENTINEL', ...args);
    } finally {
      sentinel.disconnect();
    }
  };
  const primary = async () => {
    const [, port] = (await ask('get-master-addr-by-name', primaryName)) as [string, string];
    return servers.find((server) => server.port === Number(port))!;
  };
  const restore = async () => {
    for (const { start, thaw } of servers) {
      thaw();
      await start();
    }
    await until('replica that follows the primary', async () => (await isWhole(ask)) || undefined, {
      timeoutMs: 30_000,
      everyMs: 100,
    });
  };
  try {
    servers.push(await startServer(binary));
    servers.push(await startServer(binary, servers[0]));
    for (let index = 0; index < 3; index += 1)
      sentinels.push(await startSentinel(binary, { folder, index, primary: servers[0]! }));
    await restore();
  } catch (error) {
    await close();
    throw error;
  }
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join();
  return {
    url: `redis+sentinel://:${encodeURIComponent(serverPassword)}@${hosts}/${primaryName}?db=3&sentinelPassword=${encodeURIComponent(sentinelPassword)}`,
    secrets: [serverPassword, sentinelPassword, encodeURIComponent(serverPassword)],
    killPrimary: async () => (await primary()).kill(),
    freezePrimary: async () => (await primary()).freeze(),
    exchange: async () => void (await ask('failover', primaryName)),
    restore,
    close,
  };
}

async function isWhole(ask: (...args: [string, ...string[]]) => Promise<unknown>): Promise<boolean> {
  const known = fields(await ask('master', primaryName));
  if (known.get('flags') !== 'master' || known.get('num-other-sentinels') !== '2') return false;
  const replicas = ((await ask('replicas', primaryName)) as string[][]).map(fields);
  return replicas.some(
    (replica) => replica.get('flags') === 'slave' && replica.get('master-link-status') === 'ok',
  );
}

/** Answers list names and values in turns. */
function fields(answer: unknown): Map<string, string> {
  const parts = answer as string[];
  return new Map(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]!]] : [])));
}

async function startServer(binary: FoundBinary, primary?: Server): Promise<Server> {
  const folder = await createTemporaryFolder('bindery-test-redis-');
  const environment = environmentOfOwnStores();
  const { program, socket } = await planRedisServer(binary, { folder, environment });
  const port = await freePort();
  const args = [
    ...program.args,
    ...['--port', String(port), '--bind', '127.0.0.1'],
    ...['--requirepass', serverPassword, '--masterauth', serverPassword],
    ...(primary ? ['--replicaof', `127.0.0.1 ${primary.port}`] : []),
  ];
  const server = storeProcess({ ...program, args });
  await server.start();
  const remove = async () => {
    await removeSocket(socket);
    await removeFolder(folder);
  };
  return { ...server, port, remove };
}

async function startSentinel(
  binary: FoundBinary,
  { folder, index, primary }: { folder: string; index: number; primary: Server },
): Promise<Server> {
  const port = await freePort();
  // A sentinel writes to its configuration.
  const file = join(folder, `sentinel-${index}.conf`);
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir "${folder}"`,
    `requirepass "${sentinelPassword}"`,
    `sentinel monitor ${primaryName} 127.0.0.1 ${primary.port} 2`,
    `sentinel auth-pass ${primaryName} "${serverPassword}"`,
    `sentinel down-after-milliseconds ${primaryName} ${downAfterMs}`,
    `sentinel failover-timeout ${primaryName} 10000`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const environment = environmentOfOwnStores();
  const { needsChannel, ...command } = await guardedCommand(binary.path, [file, '--sentinel'], environment);
  const sentinel = storeProcess({
    name: 'sentinel',
    ...command,
    environment,
    hasChannel: needsChannel,
    isReadyLine: (line) => line.includes('Sentinel ID is'),
  });
  await sentinel.start();
  return { ...sentinel, port, remove: async () => {} };
}
