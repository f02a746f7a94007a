// Starts the launcher as a person does, and looks at what it leaves behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { identityOf, isRunning, type ProcessIdentity } from '../../apps/cli/src/launcher/processes.ts';
import { readRunFile, type RunFile } from '../../apps/cli/src/launcher/runFile.ts';
import { createTemporaryFolder, removeFolder } from '../../apps/cli/src/launcher/temporaryFolder.ts';

export const projectFolder = resolve(import.meta.dirname, '../..');

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
  /** Every process that run.json names, told apart from later ones with the same number. */
  processes(): ProcessIdentity[];
};

/** `bindery up` with small stand-ins for the apps. */
export function launchStandIns(args: string[], options: { folder: string; environment?: NodeJS.ProcessEnv }): Launched {
  return launch(standInCommand(args, options.folder), options);
}

export function standInCommand(args: readonly string[], folder: string): string[] {
  return [process.execPath, join(projectFolder, 'test/support/upWithStandIns.ts'), '--data', folder, '--port', '0', ...args];
}

/** Any command that ends up as the launcher, on its own stores and not those of the tests. */
export function launch(
  [program = '', ...args]: readonly string[],
  { folder, environment = {} }: { folder: string; environment?: NodeJS.ProcessEnv },
): Launched {
  // In a session of its own, as under a terminal of its own: a signal to its group reaches only it.
  const child = spawn(program, args, {
    cwd: projectFolder,
    detached: true,
    env: { ...outerEnvironment(), ...environment },
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
    processes() {
      return Object.values(readRunFile(folder)?.pids ?? {})
        .flat()
        .map(identityOf);
    },
  };
}

/** The environment as it was before the tests named their stores in it. */
export function outerEnvironment(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, BINDERY_SECRET_KEY: _key, ...environment } = process.env;
  return environment;
}

/** Asserts that nothing of a run is left: no process, no lock, no run.json. */
export async function expectNothingLeft(processes: readonly ProcessIdentity[], folder: string): Promise<void> {
  expect(processes.length).toBeGreaterThan(3);
  await expectAllEnded(processes);
  const names = await readdir(folder);
  expect(names.filter((name) => name.startsWith('lock') || name.startsWith('run.json'))).toEqual([]);
}

export async function expectAllEnded(processes: readonly ProcessIdentity[]): Promise<void> {
  await vi.waitFor(() => expect(processes.filter(isRunning)).toEqual([]), { timeout: 20_000, interval: 20 });
}

/** A folder for a run, removed by the function that comes with it, or by a later run of the tests when this one is killed. */
export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const base = await createTemporaryFolder('bindery-launcher-');
  return { folder: join(base, 'data'), remove: () => removeFolder(base) };
}
