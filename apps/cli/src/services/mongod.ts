import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../program.ts';
import { Refusal } from '../refusal.ts';
import { guardedCommand } from './guardedCommand.ts';
import { mongodb } from './mongodb.ts';
import { mongodProblem } from './mongodProblem.ts';
import { setName } from './replicaSet.ts';
import type { FoundBinary } from './resolveService.ts';
import { versionText } from './service.ts';
import { readStoreRecord, writeStoreRecord } from './storeRecord.ts';
import { prepareSocket } from './storeSocket.ts';

/** A store to start; it listens only on the path `socket`. */
export type StorePlan = { program: Program; socket: string };

export type MongodPlan = StorePlan & {
  /**
   * The same server outside of its replica set, which must run once first if the data names another address.
   */
  alone?: Program;
  /** Records program and socket for the next start; to be called when the data names the socket. */
  remember: () => Promise<void>;
};

/**
 * Plans a one-node MongoDB on a socket with its data below `folder`.
 *
 * @throws Refusal when the program cannot open the existing data, or others could reach the socket
 */
export async function planMongod(
  binary: FoundBinary,
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): Promise<MongodPlan> {
  const record = await readStoreRecord(folder, mongodb.id);
  const dataMajor = record?.dataMajor ?? binary.version[0];
  if (binary.version[0] !== dataMajor && binary.version[0] !== dataMajor + 1) {
    throw new Refusal(
      `The data in ${folder} was made by MongoDB ${dataMajor}, and ${binary.path} (${versionText(binary.version)}) cannot open it.`,
      [
        `Set MONGOD_BINARY to a mongod of version ${dataMajor} or ${dataMajor + 1}; last used was ${record?.binary}.`,
        'Or start with other data: `--data DIR`.',
      ],
    );
  }
  const socket = await prepareSocket(folder, mongodb.id);
  const data = join(folder, mongodb.id);
  await mkdir(data, { recursive: true, mode: 0o700 });
  const args = [
    // Listens only on this socket; `--nounixsocket` prevents a second one in /tmp.
    ...['--dbpath', data, '--bind_ip', socket, '--nounixsocket', '--quiet'],
    ...['--wiredTigerCacheSizeGB', '0.25'],
    // By default MongoDB creates and fills three journal files of 100 MB in advance: half a second at the
    // start and most of a small data folder.
    ...['--wiredTigerEngineConfigString', 'log=(prealloc=false,file_max=16MB)'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ];
  const hasMoved = record?.socket !== socket && (await readdir(data)).includes('WiredTiger');
  const program = async (more: readonly string[]): Promise<Program> => {
    const { needsChannel, ...command } = await guardedCommand(binary.path, [...args, ...more], environment);
    return {
      name: 'mongod',
      ...command,
      environment,
      hasChannel: needsChannel,
      isReadyLine: (line) => line.includes('"Waiting for connections"'),
      // An abort prints a hundred lines after the one with the cause.
      isTelling: (line) => !line.startsWith('{') || mongodProblem(line) !== undefined,
      // After a crash it replays its journal first.
      readyMs: 120_000,
      stopMs: 30_000,
      stopSignal: 'SIGTERM',
      isStore: true,
    };
  };
  return {
    socket,
    program: await program(['--replSet', setName]),
    alone: hasMoved ? await program([]) : undefined,
    remember: () =>
      writeStoreRecord(folder, mongodb.id, {
        binary: binary.path,
        version: binary.version,
        socket,
        dataMajor,
      }),
  };
}
