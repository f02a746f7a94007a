import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** A program that the launcher keeps running. */
export type Program = {
  /** Also its key in run.json: `mongod`, `api`, `worker-git`. */
  name: string;
  command: string;
  args: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** Whether it gets a channel to the launcher, which it watches to end with it. */
  hasChannel: boolean;
  /** A store says in a line of its output that it is ready; without this the program says so through its channel. */
  isReadyLine?: (line: string) => boolean;
  /** Which lines are kept to be shown when it fails; all of them when absent. */
  isTelling?: (line: string) => boolean;
  /** How long it may take to become ready. */
  readyMs: number;
  /** How long it may take to stop before it is killed. */
  stopMs: number;
  /** SIGKILL for a store whose data is thrown away anyway. */
  stopSignal: 'SIGTERM' | 'SIGKILL';
  /** A store that dies before it was ever ready cannot use its data: starting it again would not help. */
  mustStartAtOnce: boolean;
};

export type Supervised = {
  readonly name: string;
  /** Process of this moment; undefined between a death and the next start. */
  pid(): number | undefined;
  /** Settles at the first readiness; rejects when the program was given up before. */
  ready: Promise<void>;
  /** Asks it to end, kills it when that takes too long, and sees to it that nothing of its group is left. */
  stop(): Promise<void>;
  /** Ends it at once; `stop` still has to be awaited. */
  kill(): void;
};

export type SupervisorEvents = {
  onLine: (line: string) => void;
  /** Each time that a process of the program started. */
  onStart?: (pid: number) => void;
  /** A sentence for people about a death and what is done about it. */
  onDeath: (sentence: string) => void;
  /** It died five times in a minute, or could not start at all. */
  onGiveUp: (problem: ProgramFailed) => void;
};

/** A program that cannot be kept running, with the last lines that it printed. */
export class ProgramFailed extends Error {
  readonly lastLines: readonly string[];
  constructor(message: string, lastLines: readonly string[]) {
    super(message);
    this.lastLines = lastLines;
  }
}

const deathsAtMost = 5;
const deathWindowMs = 60_000;
const keptLines = 20;

/**
 * Starts a program in a process group of its own (Ctrl-C reaches a whole foreground group; here only the launcher hears it and stops things in order)
 * and starts it again, later each time, when it dies.
 */
export function supervise(program: Program, events: SupervisorEvents): Supervised {
  const ready = Promise.withResolvers<void>();
  // Whoever awaits `ready` hears of a failure, and so does `onGiveUp`; nobody has to do both.
  ready.promise.catch(() => {});
  const lastLines: string[] = [];
  let child: ChildProcess | undefined;
  let deaths: number[] = [];
  let isStopping = false;
  let wasReady = false;
  let restart: NodeJS.Timeout | undefined;

  const giveUp = (message: string) => {
    const problem = new ProgramFailed(message, [...lastLines]);
    isStopping = true;
    ready.reject(problem);
    events.onGiveUp(problem);
  };

  const start = () => {
    const started = spawn(program.command, program.args, {
      detached: true,
      env: program.environment,
      stdio: ['ignore', 'pipe', 'pipe', ...(program.hasChannel ? ['ipc' as const] : [])],
    });
    child = started;
    const tooSlow = setTimeout(() => {
      events.onDeath(`${program.name} was not ready after ${program.readyMs / 1000} s`);
      killGroup(started);
    }, program.readyMs);
    const isReady = () => {
      clearTimeout(tooSlow);
      wasReady = true;
      ready.resolve();
    };
    for (const stream of [started.stdout, started.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        if (program.isTelling?.(line) ?? true) lastLines.push(line);
        if (lastLines.length > keptLines) lastLines.shift();
        events.onLine(line);
        if (program.isReadyLine?.(line)) isReady();
      });
    }
    started.on('message', (message) => {
      if (typeof message === 'object' && 'ready' in message) isReady();
    });
    // Heard by `ended` where it matters; without a listener it would end the launcher.
    started.on('error', () => {});
    void ended(started).then((how) => {
      clearTimeout(tooSlow);
      if (child === started) child = undefined;
      killGroup(started);
      if (!isStopping) onDeath(how);
    });
    if (started.pid !== undefined) events.onStart?.(started.pid);
  };

  const onDeath = (how: string) => {
    if (program.mustStartAtOnce && !wasReady) return giveUp(`${program.name} could not start (${how}).`);
    const now = Date.now();
    deaths = [...deaths.filter((at) => now - at < deathWindowMs), now];
    if (deaths.length >= deathsAtMost) return giveUp(`${program.name} died ${deathsAtMost} times in a minute, the last time by ${how}.`);
    const waitMs = Math.min(250 * 2 ** (deaths.length - 1), 5_000);
    events.onDeath(`${program.name} died (${how}); starting it again in ${waitMs / 1000} s`);
    restart = setTimeout(start, waitMs);
  };

  start();
  return {
    name: program.name,
    pid: () => child?.pid,
    ready: ready.promise,
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      if (!child) return;
      const stopped = child;
      if (program.stopSignal === 'SIGKILL') killGroup(stopped);
      else stopped.kill('SIGTERM');
      const isLate = Symbol('late');
      const timer = new AbortController();
      const late = delay(program.stopMs, isLate, { signal: timer.signal }).catch(() => undefined);
      if ((await Promise.race([ended(stopped), late])) === isLate) {
        events.onDeath(`${program.name} did not stop within ${program.stopMs / 1000} s and was killed`);
        killGroup(stopped);
        await ended(stopped);
      }
      timer.abort();
    },
    kill() {
      isStopping = true;
      clearTimeout(restart);
      if (child) killGroup(child);
    },
  };
}

/** How a process ended, once it has, with its last output read. */
async function ended(child: ChildProcess): Promise<string> {
  if (child.pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    return error.message;
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // A grandchild may hold the pipes open for longer; its output is not waited for.
  if (!child.stdout?.closed) await Promise.race([once(child, 'close'), delay(200)]);
  return child.signalCode ?? `exit code ${child.exitCode}`;
}

/** Kills what is left of a group; a group that is gone is what was wanted. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
