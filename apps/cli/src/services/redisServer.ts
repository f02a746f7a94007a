import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../launcher/freePort.ts';
import { guardedCommand } from './guardedCommand.ts';
import type { StorePlan } from './mongod.ts';
import { redis } from './redis.ts';
import type { FoundBinary } from './resolveService.ts';
import { versionText } from './service.ts';
import { readStoreRecord, writeStoreRecord } from './storeRecord.ts';

/**
 * A Redis or Valkey on loopback with its append-only file below `folder`.
 *
 * @param databases     how many numbered databases it has; each test worker takes one
 * @param isPersistent  false for data that is thrown away anyway
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
  const port = await freePort(record?.port);
  const args = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', data, '--daemonize', 'no', '--databases', String(databases)],
    ...['--appendonly', isPersistent ? 'yes' : 'no', '--appendfsync', 'everysec', '--save', ''],
    // A key that is thrown out for lack of memory would be a lost job.
    ...['--maxmemory-policy', 'noeviction'],
    // So that its command line still says whose data it has open.
    ...['--set-proc-title', 'no'],
  ];
  const { needsChannel, ...command } = await guardedCommand(binary.path, args, environment);
  await writeStoreRecord(folder, redis.id, { binary: binary.path, version: binary.version, port, dataMajor: binary.version[0] });
  return {
    port,
    program: {
      name: 'redis',
      ...command,
      environment,
      hasChannel: needsChannel,
      isReadyLine: (line) => line.includes('Ready to accept connections'),
      readyMs: 60_000,
      stopMs: 10_000,
      stopSignal: 'SIGTERM',
      isStore: true,
    },
  };
}
