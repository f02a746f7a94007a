import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { scrubSecrets } from '@bindery/runtime';
import type { Program } from '../program.ts';
import { ended, killGroup, type End } from './childEnd.ts';
import { restartPauseMs } from './restartPause.ts';

/** The last death of a program that has not become ready since. */
export type Failing = {
  /** Contains no address, path or secret: `exit code 3`, `SIGKILL`, `not ready within 60 s`. */
  reason: string;
  /** Deaths in a row: a minute of being ready resets the count. */
  deaths: number;
  /** The pause before the restart. */
  pauseMs: number;
  /** The process that died; undefined without one. */
  pid: number | undefined;
};

export type Supervised = {
  readonly name: string;
  /** The present process; undefined between a death and the restart. */
  pid(): number | undefined;
  /** Resolves when first ready; rejects when the program was given up before. */
  ready: Promise<void>;
  isReady(): boolean;
  /** Undefined while it is ready, and before its first death. */
  failing(): Failing | undefined;
  lastLines(): readonly string[];
  /** Stops the program, kills it after the time limit, and ensures that its process group is empty. */
  stop(): Promise<void>;
  /** Kills it immediately; `stop` must still be awaited. */
  kill(): void;
};

export type SupervisorEvents = {
  onLine: (line: string) => void;
  /** Called after each start of a process. */
  onStart?: (pid: number) => void;
  /** Called each time that it becomes ready. */
  onReady?: () => void;
  /** Called when it died and will be restarted. */
  onDeath?: (failing: Failing) => void;
  /** Reports a death, or a recovery, in a sentence for people. */
  say: (sentence: string) => void;
  /** Called when a store cannot start, or died five times in a row. */
  onGiveUp: (problem: ProgramFailed) => void;
};

/** A program that cannot be kept running, with its last output lines. */
export class ProgramFailed extends Error {
  readonly lastLines: readonly string[];
  constructor(message: string, lastLines: readonly string[]) {
    super(message);
    this.lastLines = lastLines;
  }
}

const storeDeathsAtMost = 5;
/** Twice, because the first restart may have been killed while it replayed its journal. */
const storeRestartsThatFail = 2;
const keptLines = 20;

/**
 * Starts a program in a process group of its own, because Ctrl-C reaches the whole foreground group and only
 * the launcher may react to it, and stop programs in order. Restarts it when it dies, after growing pauses.
 *
 * @param pauseMs  the pause before a restart, by the number of deaths in a row
 * @param wellMs  how long it must have been ready to reset the number of deaths
 */
export function supervise(
  program: Program,
  events: SupervisorEvents,
  {
    pauseMs = restartPauseMs,
    wellMs = 60_000,
  }: { pauseMs?: (deaths: number) => number; wellMs?: number } = {},
): Supervised {
  const { name } = program;
  const ready = Promise.withResolvers<void>();
  // Failures are reported through both `ready` and `onGiveUp`; the caller may ignore `ready`.
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
      // Such as ENOMEM; other failures arrive as an event.
      const reason = `cannot be started: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'}`;
      readyAtMs = undefined;
      return onDeath({ text: reason, reason }, { pid: undefined, isTooSlow: false });
    }
    const now = { child: started, end: ended(started) };
    running = now;
    readyAtMs = undefined;
    let isTooSlow = false;
    let told: string | undefined;
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
      if (typeof message !== 'object') return;
      if ('ready' in message) onReady();
      // Its own words, which say more than its exit code.
      if ('failed' in message) told = String(message.failed);
    });
    // `ended` handles the error; without a listener it would crash the launcher.
    started.on('error', () => {});
    void now.end.then((end) => {
      clearTimeout(tooSlow);
      running = undefined;
      killGroup(started);
      const endAsTold = told ? { text: `${end.text}: ${told}`, reason: told } : end;
      const named = isTooSlow ? tooSlowEnd(program) : endAsTold;
      if (!isStopping) onDeath(named, { pid: started.pid, isTooSlow });
    });
    if (started.pid !== undefined) events.onStart?.(started.pid);
  };

  const onDeath = (
    { text, reason }: End,
    { pid, isTooSlow }: { pid: number | undefined; isTooSlow: boolean },
  ) => {
    if (readyAtMs === undefined) failedStarts += 1;
    else if (performance.now() - readyAtMs >= wellMs) deaths = 0;
    readyAtMs = undefined;
    deaths += 1;
    // Ctrl-C reaches a process that has not left the launcher's group yet, and says nothing about the store.
    if (program.isStore && reason !== 'SIGINT') {
      const cannotStart =
        failedStarts > 0 && (isTooSlow || !wasEverReady || failedStarts >= storeRestartsThatFail);
      if (cannotStart) return giveUp(`${name} could not start (${text}).`);
      if (deaths >= storeDeathsAtMost)
        return giveUp(`${name} died ${deaths} times in a row, the last time by ${text}.`);
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
