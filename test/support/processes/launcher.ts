// Starts the launcher as a person does, and looks at what it leaves behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, onTestFailed, vi } from 'vitest';
import { readRunFile, type RunFile } from '../../../apps/cli/src/launcher/data-folder/runFile.ts';
import { createTemporaryFolder, removeFolder } from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { watchStartedProcesses, type StartedProcess } from '../startedProcesses.ts';

export const projectFolder = resolve(import.meta.dirname, '../../..');

/** A start that is slow because the machine is busy is not a failure of the launcher. */
const patienceMs = 60_000;

export type Launched = {
  child: ChildProcess;
  folder: string;
  /** What it printed so far. */
  output(): string;
  /** Resolves when run.json is there. */
  ready(): Promise<RunFile>;
  /** Resolves to the exit code, or to the signal's name. */
  ended(): Promise<number | string>;
  /** Every process of this run that runs now, also those which its apps have started. */
  running(): StartedProcess[];
  /** Once it has ended and was looked at. */
  forget(): void;
};

/** `bindery up` with apps from a folder of the fixtures: by default small stand-ins. */
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
 * The stores of the tests, in databases that no test file works in: for what is not about the stores, since starting them takes most of a start.
 *
 * @param name  of the database, and the prefix of the queues
 */
export function namedStores(name: string): { MONGODB_URI: string; REDIS_URL: string; BINDERY_QUEUE_PREFIX: string } {
  const MONGODB_URI = process.env.MONGODB_URI?.replace(/\/t\d+\?/, `/${name}?`) ?? '';
  return { MONGODB_URI, REDIS_URL: process.env.REDIS_URL?.replace(/\d+$/, '0') ?? '', BINDERY_QUEUE_PREFIX: name };
}

export type Launchers = {
  /** Data folder of the present test. */
  folder(): string;
  /** Any command that ends up as the launcher. */
  launch(command: readonly string[], environment?: NodeJS.ProcessEnv): Launched;
  /** The launcher with stand-ins for its apps. */
  start(args?: readonly string[], environment?: NodeJS.ProcessEnv): Launched;
};

/** Gives each test of a file a folder and what starts launchers in it. Afterwards they are killed, which leaves no process either. */
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

/** On its own stores and not those of the tests. */
function launch(
  [program = '', ...args]: readonly string[],
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): Launched {
  const started = watchStartedProcesses(randomUUID());
  // In a session of its own, as under a terminal of its own: a signal to its group reaches only it.
  const child = spawn(program, args, {
    cwd: projectFolder,
    detached: true,
    env: { ...outerEnvironment(), ...environment, ...started.mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
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

/** The environment as it was before the tests named their stores in it. */
export function outerEnvironment(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, BINDERY_SECRET_KEY: _key, ...environment } = process.env;
  return environment;
}

/** Asserts that nothing of a run is left: no process, also none that an app had started, no lock, no run.json. */
export async function expectNothingLeft(one: Launched): Promise<void> {
  await expectAllEnded(one);
  const names = await readdir(one.folder);
  expect(names.filter((name) => name.startsWith('lock') || name.startsWith('run.json'))).toEqual([]);
}

/** The launcher may have been killed: what it had started ends by itself. */
export async function expectAllEnded(one: Launched): Promise<void> {
  await vi.waitFor(() => expect(one.running()).toEqual([]), { timeout: patienceMs, interval: 20 });
}

/** A folder for a run, removed by the function that comes with it, or by a later run of the tests when this one is killed. */
async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const base = await createTemporaryFolder('bindery-launcher-');
  return { folder: join(base, 'data'), remove: () => removeFolder(base) };
}
