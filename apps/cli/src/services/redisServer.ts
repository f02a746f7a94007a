import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { guardedCommand } from './guardedCommand.ts';
import type { StorePlan } from './mongod.ts';
import { redis } from './redis.ts';
import type { FoundBinary } from './resolveService.ts';
import { versionText } from './service.ts';
import { readStoreRecord, writeStoreRecord } from './storeRecord.ts';
import { prepareSocket } from './storeSocket.ts';

/** Up to Redis 7.0 it ends in `at` and the path of the socket, since 7.2 and in Valkey it is `Ready to accept connections unix`. */
const readyLine = /\bready to accept connections (?:at|unix)\b/i;

/**
 * A Redis or Valkey on a socket with its append-only file below `folder`.
 *
 * @param databases     how many numbered databases it has; each test worker takes one
 * @param isPersistent  false for data that is thrown away anyway
 * @throws Refusal      when others could reach the socket
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
  // Another program may not read this one's file. Nothing is lost: the queues are filled again from MongoDB.
  if (record && versionText(record.version) !== versionText(binary.version)) await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true, mode: 0o700 });
  const socket = await prepareSocket(folder, redis.id);
  const args = [
    ...['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700'],
    ...['--dir', data, '--daemonize', 'no', '--databases', String(databases)],
    ...['--appendonly', isPersistent ? 'yes' : 'no', '--appendfsync', 'everysec', '--save', ''],
    // A key that is thrown out for lack of memory would be a lost job.
    ...['--maxmemory-policy', 'noeviction'],
    // So that its command line still says whose data it has open.
    ...['--set-proc-title', 'no'],
  ];
  const { needsChannel, ...command } = await guardedCommand(binary.path, args, environment);
  await writeStoreRecord(folder, redis.id, { binary: binary.path, version: binary.version, dataMajor: binary.version[0] });
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

/** The URL of the launcher's own Redis. */
export function ownRedisUrl(socket: string): string {
  return `unix://${socket}`;
}
