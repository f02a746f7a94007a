import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  appMemoryVariables,
  appNodeOptions,
  identityOf,
  isRunning,
  type ProcessIdentity,
} from '@bindery/runtime';
import { commandOf, numbersOf } from './procfs.ts';

const projectFolder = resolve(import.meta.dirname, '../../..');
/** Generous: a slow start on a busy machine is not a failure. */
const readyMs = 120_000;

/** A folder below apps/, or the path in the project of a file that starts a process like an app's main.ts. */
export type AppName =
  | 'api'
  | 'console'
  | 'site'
  | 'worker-git'
  | 'worker-maintenance'
  | 'worker-openapi'
  | 'worker-pdf'
  | 'worker-translation'
  | `${string}/main.ts`;

/** A worker only for tests, whose jobs are quick and have countable effects. */
export const standInWorker = 'test/fixtures/standInWorker/main.ts';

/** A process of the platform, to be killed, frozen and stopped. */
export type AppProcess = {
  name: AppName;
  pid: number;
  /** The port of the API, the console or the site. */
  port?: number;
  /** All lines that it printed. */
  lines: string[];
  /** Sends a signal. Processes that it had started by then must end soon after it. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves to the exit code or the name of the signal. */
  ended: Promise<number | string>;
  hasEnded(): boolean;
  /** Whether it still runs normally: not ended, not told to stop, not frozen. */
  isUntouched(): boolean;
  /** The processes that it had started when it was last signalled. */
  children: ProcessIdentity[];
};

/**
 * Starts an app like the launcher and waits until it is ready.
 *
 * @throws Error with its end and its output, when it ends or is too slow; it does not run then
 * @param within  a command that executes the one after it, such as `prlimit --fsize=1000`
 */
export async function startApp(
  name: AppName,
  environment: NodeJS.ProcessEnv,
  within: readonly string[] = [],
): Promise<AppProcess> {
  const { child, lines } = spawnApp(name, environment, within);
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as number | string);
  const ready = new Promise<{ port?: number }>((resolveReady, reject) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && 'ready' in message) resolveReady(message as { port?: number });
    });
    void ended.then((how) =>
      reject(new Error(`${name} ended (${how}) before it was ready:\n${lines.join('\n')}`)),
    );
    setTimeout(
      () => reject(new Error(`${name} was not ready after ${readyMs} ms:\n${lines.join('\n')}`)),
      readyMs,
    ).unref();
  });
  // Its writes would fail the tests that follow.
  ready.catch(() => child.kill('SIGKILL'));
  const { port } = await ready;
  const pid = child.pid!;
  let wasSignalled = false;
  const app: AppProcess = {
    name,
    pid,
    ...(port !== undefined && { port }),
    lines,
    children: [],
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    isUntouched: () => !wasSignalled && !app.hasEnded() && numbersOf(pid)?.state !== 'T',
    signal: (signal) => {
      wasSignalled ||= signal !== 'SIGCONT';
      app.children = childrenOf(pid);
      child.kill(signal);
    },
  };
  return app;
}

/** The same without waiting. */
export function spawnApp(
  name: AppName,
  environment: NodeJS.ProcessEnv,
  within: readonly string[] = [],
): { child: ChildProcess; lines: string[] } {
  const main = join(projectFolder, name.endsWith('.ts') ? name : `apps/${name}/src/main.ts`);
  const [command, ...args] = [...within, process.execPath, ...appNodeOptions, main];
  const child = spawn(command!, args, {
    detached: true,
    env: { ...appMemoryVariables, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream! }).on('line', (line) => lines.push(line));
  return { child, lines };
}

export function areGone(processes: readonly ProcessIdentity[]): boolean {
  return !processes.some((one) => isRunning(one));
}

/** Lists the processes that work for an app, without its reaper, which ends after the app. */
export function childrenOf(pid: number): ProcessIdentity[] {
  return allChildrenOf(pid).filter((child) => !commandOf(child.pid).includes('/reaper.sh'));
}

/** On Linux only; elsewhere empty. */
export function allChildrenOf(pid: number): ProcessIdentity[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map((text) => identityOf(Number(text)));
  } catch {
    return [];
  }
}
