import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { scrubSecrets } from '@bindery/runtime';
import { ended, killGroup, type End } from './childEnd.ts';
import { restartPauseMs } from './restartPause.ts';

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
  /** Nothing works without a store, so it is given up when it cannot start or stay up. All else is started again for as long as it takes. */
  isStore: boolean;
};

/** The last death of a program that is not ready yet again. */
export type Failing = {
  /** Holds no address, path or secret: `exit code 3`, `SIGKILL`, `not ready within 60 s`. */
  reason: string;
  /** Deaths in a row: after a minute in which it was ready the next one is the first. */
  deaths: number;
  /** How long after that death it is started again. */
  pauseMs: number;
  /** Process that died; undefined when there was none. */
  pid: number | undefined;
};

export type Supervised = {
  readonly name: string;
  /** Process of this moment; undefined between a death and the next start. */
  pid(): number | undefined;
  /** Settles at the first readiness; rejects when the program was given up before. */
  ready: Promise<void>;
  isReady(): boolean;
  /** Undefined while it is ready, and before its first death. */
  failing(): Failing | undefined;
  lastLines(): readonly string[];
  /** Asks it to end, kills it when that takes too long, and sees to it that nothing of its group is left. */
  stop(): Promise<void>;
  /** Ends it at once; `stop` still has to be awaited. */
  kill(): void;
};

export type SupervisorEvents = {
  onLine: (line: string) => void;
  /** Each time that a process of the program started. */
  onStart?: (pid: number) => void;
  /** Each time that it is ready. */
  onReady?: () => void;
  /** It died and is started again later. */
  onDeath?: (failing: Failing) => void;
  /** A sentence for people about a death, and about a readiness after deaths. */
  say: (sentence: string) => void;
  /** A store cannot start, or died five times in a row. */
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

const storeDeathsAtMost = 5;
/** The second one: the first may have been killed while it replayed its journal. */
const storeRestartsThatFail = 2;
const keptLines = 20;

/**
 * Starts a program in a process group of its own (Ctrl-C reaches a whole foreground group; here only the launcher hears it and stops things in order)
 * and starts it again, later each time, when it dies.
 *
 * @param pauseMs  pause before the next start, by the number of deaths in a row
 * @param wellMs   how long it must have been ready for its deaths to be forgotten
 */
export function supervise(
  program: Program,
  events: SupervisorEvents,
  { pauseMs = restartPauseMs, wellMs = 60_000 }: { pauseMs?: (deaths: number) => number; wellMs?: number } = {},
): Supervised {
  const { name } = program;
  const ready = Promise.withResolvers<void>();
  // Whoever awaits `ready` hears of a failure, and so does `onGiveUp`; nobody has to do both.
  ready.promise.catch(() => {});
  const lastLines: string[] = [];
  let running: { child: ChildProcess; end: Promise<End> } | undefined;
  let isStopping = false;
  let wasEverReady = false;
  let readyAtMs: number | undefined;
  let deaths = 0;
  let failedStarts = 0;
  let failing: Failing | undefined;
  let restart: NodeJS.Timeout | undefined;

  const giveUp = (message: string) => {
    const problem = new ProgramFailed(message, [...lastLines]);
    isStopping = true;
    ready.reject(problem);
    events.onGiveUp(problem);
  };

  const becomeReady = () => {
    wasEverReady = true;
    readyAtMs = performance.now();
    failedStarts = 0;
    if (failing && !isStopping) events.say(`${name} runs again`);
    failing = undefined;
    ready.resolve();
    events.onReady?.();
  };

  const start = () => {
    let started: ChildProcess;
    try {
      started = spawn(program.command, program.args, {
        detached: true,
        env: program.environment,
        stdio: ['ignore', 'pipe', 'pipe', ...(program.hasChannel ? ['ipc' as const] : [])],
      });
    } catch (error) {
      // Such as ENOMEM; other failures come as an event.
      const reason = `cannot be started: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'}`;
      readyAtMs = undefined;
      return onDeath({ text: reason, reason }, { pid: undefined, isTooSlow: false });
    }
    const now = { child: started, end: ended(started) };
    running = now;
    readyAtMs = undefined;
    let isTooSlow = false;
    const tooSlow = setTimeout(() => {
      isTooSlow = true;
      killGroup(started);
    }, program.readyMs);
    const onReady = () => {
      clearTimeout(tooSlow);
      if (readyAtMs === undefined && running === now) becomeReady();
    };
    for (const stream of [started.stdout, started.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (printed) => {
        const line = scrubSecrets(printed);
        if (program.isTelling?.(line) ?? true) lastLines.push(line);
        if (lastLines.length > keptLines) lastLines.shift();
        events.onLine(line);
        if (program.isReadyLine?.(line)) onReady();
      });
    }
    started.on('message', (message) => {
      if (typeof message === 'object' && 'ready' in message) onReady();
    });
    // Heard by `ended` where it matters; without a listener it would end the launcher.
    started.on('error', () => {});
    void now.end.then((end) => {
      clearTimeout(tooSlow);
      running = undefined;
      killGroup(started);
      if (!isStopping) onDeath(isTooSlow ? tooSlowEnd(program) : end, { pid: started.pid, isTooSlow });
    });
    if (started.pid !== undefined) events.onStart?.(started.pid);
  };

  const onDeath = ({ text, reason }: End, { pid, isTooSlow }: { pid: number | undefined; isTooSlow: boolean }) => {
    if (readyAtMs === undefined) failedStarts += 1;
    else if (performance.now() - readyAtMs >= wellMs) deaths = 0;
    readyAtMs = undefined;
    deaths += 1;
    if (program.isStore) {
      const cannotStart = failedStarts > 0 && (isTooSlow || !wasEverReady || failedStarts >= storeRestartsThatFail);
      if (cannotStart) return giveUp(`${name} could not start (${text}).`);
      if (deaths >= storeDeathsAtMost) return giveUp(`${name} died ${deaths} times in a row, the last time by ${text}.`);
    }
    failing = { reason, deaths, pauseMs: pauseMs(deaths), pid };
    const count = deaths === 1 ? '' : `, ${deaths} deaths in a row`;
    events.say(`${name} died (${text})${count}; starting it again in ${seconds(failing.pauseMs)}`);
    events.onDeath?.(failing);
    restart = setTimeout(start, failing.pauseMs);
  };

  start();
  return {
    name,
    pid: () => running?.child.pid,
    ready: ready.promise,
    isReady: () => readyAtMs !== undefined,
    failing: () => failing,
    lastLines: () => lastLines,
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      if (!running) return;
      const { child, end } = running;
      if (program.stopSignal === 'SIGKILL') killGroup(child);
      else child.kill('SIGTERM');
      const isLate = Symbol('late');
      const timer = new AbortController();
      const late = delay(program.stopMs, isLate, { signal: timer.signal }).catch(() => undefined);
      if ((await Promise.race([end, late])) === isLate) {
        events.say(`${name} did not stop within ${seconds(program.stopMs)} and was killed`);
        killGroup(child);
        await end;
      }
      timer.abort();
    },
    kill() {
      isStopping = true;
      clearTimeout(restart);
      if (running) killGroup(running.child);
    },
  };
}

function tooSlowEnd({ readyMs }: Program): End {
  const text = `not ready within ${seconds(readyMs)}`;
  return { text, reason: text };
}

function seconds(ms: number): string {
  return `${Number((ms / 1_000).toPrecision(2))} s`;
}
