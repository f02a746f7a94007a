// Starts the launcher like a user, and checks what it leaves behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, onTestFailed, vi } from 'vitest';
import { readRunFile, type RunFile } from '../../../apps/cli/src/launcher/data-folder/runFile.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { watchStartedProcesses, type StartedProcess } from '../startedProcesses.ts';

export const projectFolder = resolve(import.meta.dirname, '../../..');

/** Generous: a slow start on a busy machine is not a failure of the launcher. */
const patienceMs = 180_000;

export type Launched = {
  child: ChildProcess;
  folder: string;
  /** Its output so far. */
  output(): string;
  /** Resolves when run.json exists. */
  ready(): Promise<RunFile>;
  /** Resolves to the exit code, or to the signal's name. */
  ended(): Promise<number | string>;
  /** The running processes of this run, including those started by its apps. */
  running(): StartedProcess[];
  /** Ends the tracking, once it has ended and was checked. */
  forget(): void;
};

/** `bindery up` with apps from a folder of the fixtures; by default small stand-ins. */
export function standInCommand(args: readonly string[], folder: string, apps = 'standInApps'): string[] {
  return [
    process.execPath,
    join(projectFolder, 'test/support/processes/upWithStandIns.ts'),
    apps,
    '--data',
    folder,
    '--port',
    '0',
    ...args,
  ];
}

/**
 * The test stores, with databases that no test file uses: for tests that are not about the stores, whose
 * start takes most of the time.
 *
 * @param name  of the database, and the prefix of the queues
 */
export function namedStores(name: string): {
  MONGODB_URI: string;
  REDIS_URL: string;
  BINDERY_QUEUE_PREFIX: string;
} {
  const MONGODB_URI = process.env.MONGODB_URI?.replace(/\/t\d+\?/, `/${name}?`) ?? '';
  return {
    MONGODB_URI,
    REDIS_URL: process.env.REDIS_URL?.replace(/\d+$/, '0') ?? '',
    BINDERY_QUEUE_PREFIX: name,
  };
}

export type Launchers = {
  /** Data folder of the present test. */
  folder(): string;
  /** Runs any command that becomes the launcher. */
  launch(command: readonly string[], environment?: NodeJS.ProcessEnv): Launched;
  /** Runs the launcher with stand-ins for its apps. */
  start(args?: readonly string[], environment?: NodeJS.ProcessEnv): Launched;
};

/**
 * Gives each test of a file a folder and functions to start launchers in it. Afterwards the launchers are
 * killed, which must not leave a process either.
 */
export function useLaunchers(): Launchers {
  let folder: string;
  let remove: () => Promise<void>;
  let launched: Launched[] = [];
  beforeEach(async () => {
    ({ folder, remove } = await makeFolder());
    launched = [];
  });
  afterEach(async () => {
    for (const { child } of launched) child.kill('SIGKILL');
    for (const one of launched) await expectAllEnded(one);
    for (const one of launched) one.forget();
    await remove();
  });
  const launchers: Launchers = {
    folder: () => folder,
    launch: (command, environment = {}) => {
      const one = launch(command, { folder, environment });
      launched.push(one);
      onTestFailed(() => console.log(one.output()));
      return one;
    },
    start: (args = [], environment) => launchers.launch(standInCommand(args, folder), environment),
  };
  return launchers;
}

/** With its own stores instead of those of the tests. */
function launch(
  [program = '', ...args]: readonly string[],
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): Launched {
  const started = watchStartedProcesses(randomUUID());
  // In a session of its own, as under its own terminal, so that a signal to its group reaches only it.
  const child = spawn(program, args, {
    cwd: projectFolder,
    detached: true,
    env: { ...outerEnvironment(), ...environment, ...started.mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    folder,
    output: () => output,
    async ready() {
      return vi.waitFor(
        () => {
          const running = readRunFile(folder);
          if (child.exitCode !== null) throw new Error(`The launcher ended: ${output}`);
          if (!running) throw new Error(`The launcher is not ready: ${output}`);
          return running;
        },
        { timeout: patienceMs, interval: 20 },
      );
    },
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.signalCode ?? child.exitCode ?? -1;
    },
    running: started.running,
    forget: started.close,
  };
}

/** Returns the environment without the test stores. */
export function outerEnvironment(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, BINDERY_SECRET_KEY: _key, ...environment } = process.env;
  return environment;
}

/** Waits for its orderly end; a failure shows the output, which says what went wrong instead. */
export async function expectOrderlyEnd(one: Launched): Promise<void> {
  expect(await one.ended(), one.output()).toBe(0);
}

/**
 * Asserts that nothing of a run is left: no process, including those started by an app, no lock, no run.json.
 */
export async function expectNothingLeft(one: Launched): Promise<void> {
  await expectAllEnded(one);
  const names = await readdir(one.folder);
  expect(names.filter((name) => name.startsWith('lock') || name.startsWith('run.json'))).toEqual([]);
}

/** Waits for all processes, which end by themselves even if the launcher was killed. */
export async function expectAllEnded(one: Launched): Promise<void> {
  await vi.waitFor(() => expect(one.running()).toEqual([]), { timeout: patienceMs, interval: 20 });
}

/**
 * Creates a folder for a run, removed by the returned function, or by a later test run when this one is
 * killed.
 */
async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const base = await createTemporaryFolder('bindery-launcher-');
  return { folder: join(base, 'data'), remove: () => removeFolder(base) };
}
