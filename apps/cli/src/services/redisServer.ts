import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { guardedCommand } from './guardedCommand.ts';
import type { StorePlan } from './mongod.ts';
import { redis } from './redis.ts';
import type { FoundBinary } from './resolveService.ts';
import { versionText } from './service.ts';
import { readStoreRecord, writeStoreRecord } from './storeRecord.ts';
import { prepareSocket } from './storeSocket.ts';

/**
 * Up to Redis 7.0 the line ends with `at` and the path of the socket; since 7.2 and in Valkey it is `Ready to
 * accept connections unix`.
 */
const readyLine = /\bready to accept connections (?:at|unix)\b/i;

/**
 * Plans a Redis or Valkey on a socket with its append-only file below `folder`.
 *
 * @param databases  the number of databases; each test worker uses one
 * @param isPersistent  false for data that is discarded at the end
 * @throws Refusal when others could reach the socket
 */
export async function planRedisServer(
  binary: FoundBinary,
  {
    folder,
    environment,
    databases = 16,
    isPersistent = true,
  }: { folder: string; environment: NodeJS.ProcessEnv; databases?: number; isPersistent?: boolean },
): Promise<StorePlan> {
  const record = await readStoreRecord(folder, redis.id);
  const data = join(folder, redis.id);
  // Another program may not be able to read this file. Nothing is lost: the queues are refilled from MongoDB.
  if (record && versionText(record.version) !== versionText(binary.version))
    await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true, mode: 0o700 });
  const socket = await prepareSocket(folder, redis.id);
  const args = [
    ...['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700'],
    ...['--dir', data, '--daemonize', 'no', '--databases', String(databases)],
    ...['--appendonly', isPersistent ? 'yes' : 'no', '--appendfsync', 'everysec', '--save', ''],
    // A key evicted for lack of memory would be a lost job.
    ...['--maxmemory-policy', 'noeviction'],
    // So that the command line still names the data folder.
    ...['--set-proc-title', 'no'],
  ];
  const { needsChannel, ...command } = await guardedCommand(binary.path, args, environment);
  await writeStoreRecord(folder, redis.id, {
    binary: binary.path,
    version: binary.version,
    dataMajor: binary.version[0],
  });
  return {
    socket,
    program: {
      name: 'redis',
      ...command,
      environment,
      hasChannel: needsChannel,
      isReadyLine: (line) => readyLine.test(line),
      readyMs: 60_000,
      stopMs: 10_000,
      stopSignal: 'SIGTERM',
      isStore: true,
    },
  };
}

/** Returns the URL of the launcher's own Redis. */
export function ownRedisUrl(socket: string): string {
  return `unix://${socket}`;
}
