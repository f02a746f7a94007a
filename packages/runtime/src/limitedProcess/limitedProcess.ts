import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobError } from '@bindery/contract';
import { childMemory, childrenAlive, childStarts } from '@bindery/metrics';
import { peakMemoryOf, statOf } from '../processes.ts';
import { createScratchFolder, ownFolder, removeWorkFolder } from '../workFolder.ts';
import { channelDescriptor, largestChildMessageBytes, readMessages, sendMessage } from './channel.ts';
import { endGroups } from './endGroups.ts';
import { toJobError } from './failure.ts';
import { handOver, takeBack, type HandedFolder } from './handOver.ts';
import { findIsolation, type Isolation, type OwnUser } from './isolation.ts';
import { killList } from './killList.ts';
import { killGroup, listedGroup, type ListedGroup } from './listedGroup.ts';
import { childMessageSchema, type ChildMessage, type ParentMessage } from './messages.ts';
import { startChild, type LimitedKind } from './startChild.ts';
import type { LimitedWork } from './work.ts';

export type LimitedRun<Work extends LimitedWork> = {
  /** Ends the process immediately; the run fails with the signal's reason. */
  signal: AbortSignal;
  /** An error in the handler fails the run. */
  onEvent?(event: Work['event']): void | Promise<void>;
  /** Functions that the process may call. An error in one fails the run. */
  asks?: Work['asks'];
  /** Ends the process after a silence of this length. Default: no limit. */
  quiet?: { ms: number; tooSlow(): JobError };
  /**
   * The process may write into `ownFolder` of this folder, which belongs to the worker again when the run has
   * succeeded, or is removed then.
   */
  folder?: HandedFolder;
};

/** The most time between the end of a process and the end of its channel, in either order. */
const endMs = 1_000;

/**
 * The worker handles at most this many events and asks of a process at once, and pauses reading beyond that.
 */
const mostHandled = 64;

export type ChildOutcome = 'ok' | 'failed' | 'stopped' | 'time_limit' | 'memory_limit' | 'crashed';

/** A process that waits for one request, serves it and is killed. */
export class LimitedProcess {
  readonly #kind: LimitedKind;
  readonly #child: ChildProcess;
  readonly #channel: Socket;
  /** The folder for its temporary files. */
  readonly #scratch: string;
  readonly #isolation: OwnUser | undefined;
  /** Its own group first, then the groups that it started. */
  readonly #groups: ListedGroup[] = [];
  readonly #uid: number | undefined;
  readonly #listed: Promise<void>;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<unknown>;
  /** How its run ended, unless that was stopped from outside or an event handler failed. */
  outcome: ChildOutcome = 'failed';

  /** @throws when the system cannot start a process, or has no space for its folder */
  constructor(kind: LimitedKind) {
    this.#kind = kind;
    const isolation = findIsolation(kind.firstUid);
    this.#scratch = createScratchFolder();
    this.#isolation = isolation.kind === 'own-user' ? isolation : undefined;
    this.#child = startWith(this.#scratch, kind, isolation);
    const pid = this.#child.pid!;
    this.#uid = userOf(pid, isolation);
    this.#channel = this.#child.stdio[channelDescriptor] as Socket;
    // A broken channel is noticed by its end.
    this.#channel.on('error', () => {});
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve));
    childStarts.add({ kind: kind.name });
    childrenAlive.add({ kind: kind.name });
    void this.ended.then(() => childrenAlive.add({ kind: kind.name }, -1));
    this.#listed = this.#list(pid, this.#uid);
    // An idle process does not keep this one alive.
    this.#child.unref();
    this.#channel.unref();
  }

  /** Whether it can take a request. */
  get isReady(): boolean {
    return !this.#hasEnded && this.#channel.writable;
  }

  /**
   * Resolves with the result, and kills the process then. `ended` resolves when nothing of it is left, and
   * the folder is the worker's again.
   *
   * @throws JobError; the error of an event or ask handler
   */
  async run(
    name: string,
    request: unknown,
    run: LimitedRun<LimitedWork>,
  ): Promise<{ result: unknown; ended: Promise<void> }> {
    this.#child.ref();
    this.#channel.ref();
    await this.#listed;
    if (run.folder) await handOver(run.folder, this.#uid);
    const result = await this.#serve(name, request, run).finally(() => {
      const peak = peakMemoryOf(this.#child.pid!);
      if (peak !== undefined) childMemory.observe({ kind: this.#kind.name }, peak);
    });
    return { result, ended: this.#endWith(run.folder) };
  }

  async #endWith(folder: HandedFolder | undefined): Promise<void> {
    const hasEnded = await this.end();
    if (!hasEnded) throw new Error('A process is still there although it was killed.');
    if (folder?.isRemoved) await removeWorkFolder(folder.path);
    else if (folder) await takeBack(folder.path);
  }

  #serve(
    name: string,
    request: unknown,
    { onEvent, asks = {}, quiet }: LimitedRun<LimitedWork>,
  ): Promise<unknown> {
    const channel = this.#channel;
    const handled = new Set<Promise<void>>();
    let isOver = false;
    let quietTimer: NodeJS.Timeout | undefined;
    const served = new Promise((resolve, reject) => {
      const fail = (outcome: ChildOutcome, error: Error) => {
        if (!isOver) this.outcome = outcome;
        reject(error);
      };
      const listen = () => {
        clearTimeout(quietTimer);
        if (quiet) quietTimer = setTimeout(() => fail('time_limit', quiet.tooSlow()), quiet.ms);
      };
      const handle = (work: () => Promise<unknown>) => {
        const done: Promise<void> = work()
          .then(() => {}, reject)
          .finally(() => {
            handled.delete(done);
            if (channel.isPaused() && !isOver) channel.resume();
          });
        handled.add(done);
        if (handled.size >= mostHandled) channel.pause();
      };
      const answer = (id: number, given: () => Promise<unknown>) =>
        handle(async () => this.#tell({ kind: 'answer', id, answer: await given() }));
      const take = (message: ChildMessage) => {
        if (isOver) return;
        listen();
        if (message.kind === 'event') handle(async () => onEvent?.(message.event));
        else if (message.kind === 'ask') answer(message.id, () => ask(asks, message));
        else if (message.kind === 'group') answer(message.id, () => this.#addGroup(message.pid));
        // A handler that fails later fails the run.
        else if (message.kind === 'done') void Promise.all(handled).then(() => resolve(message.result));
        else {
          const outcome = message.failure === 'memory' ? 'memory_limit' : 'failed';
          fail(outcome, toJobError(message.failure, this.#kind.outOfMemory));
        }
      };
      readMessages(channel, {
        largestBytes: largestChildMessageBytes,
        onMessage: (message) => take(childMessageSchema.parse(message)),
        onBroken: reject,
      });
      const onEnd = () => void this.#findEnd().then(({ outcome, error }) => fail(outcome, error));
      void this.ended.then(onEnd);
      channel.once('close', onEnd);
      this.#tell({ kind: 'request', work: name, request }).catch(reject);
      listen();
    });
    return served.finally(() => {
      isOver = true;
      clearTimeout(quietTimer);
    });
  }

  /** Kills the process and everything it started. */
  kill(): void {
    if (!this.#hasEnded) killGroup({ pid: this.#child.pid! });
    for (const group of this.#groups.slice(1)) killGroup(group);
  }

  /** Kills the process, and resolves to true when nothing of it is left. */
  async end(): Promise<boolean> {
    this.kill();
    // Until it has ended, this process must not end either: its folder would stay.
    this.#child.ref();
    await Promise.all([this.#listed, this.ended]);
    // A process that it started and that survives may keep the channel open.
    this.#channel.destroy();
    const hasEnded = await endGroups(this.#groups, this.#isolation);
    // Groups that the kernel has not ended stay on the list.
    if (!hasEnded) return false;
    for (const group of this.#groups) killList.remove(group);
    await removeWorkFolder(this.#scratch);
    return true;
  }

  /**
   * Accepts only a process that this child has just started, and that waits at its gate, as a group: the
   * worker will kill it.
   */
  async #addGroup(pid: number): Promise<void> {
    const found = statOf(pid);
    if (!this.#kind.startsGroups) throw new Error('A process wanted to start a group and may not.');
    if (process.platform === 'linux' && (found?.parent !== this.#child.pid || found?.group !== pid)) {
      throw new Error('A process named a group that is not its own.');
    }
    await this.#list(pid, this.#uid);
  }

  #list(pid: number, uid: number | undefined): Promise<void> {
    const group = listedGroup(pid, uid);
    this.#groups.push(group);
    return killList.add(group, this.#isolation);
  }

  async #tell(message: ParentMessage): Promise<void> {
    return sendMessage(this.#channel, message);
  }

  /** Waits for the end, then explains the missing answer. */
  async #findEnd(): Promise<{ outcome: ChildOutcome; error: Error }> {
    // A process that it started may keep the channel open, or it has closed the channel and lives.
    const closed = this.#channel.closed
      ? undefined
      : new Promise((resolve) => this.#channel.once('close', resolve));
    await Promise.race([Promise.all([this.ended, closed]), delay(endMs, undefined, { ref: false })]);
    const { signalCode, exitCode } = this.#child;
    // The kernel kills a process that exceeds its memory; Node aborts.
    if (signalCode !== null) return { outcome: 'memory_limit', error: this.#kind.outOfMemory() };
    const message =
      exitCode === null
        ? 'A process closed its channel.'
        : `A process ended by itself, with code ${exitCode}.`;
    return { outcome: 'crashed', error: new Error(message) };
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** On busy processors the worker has priority: leases depend on it, while each child has only one job. */
function yieldProcessor(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has already ended, as its exit event tells.
  }
}

function userOf(pid: number, isolation: Isolation): number | undefined {
  return isolation.kind === 'own-user' ? isolation.firstUid + pid : undefined;
}

/**
 * Starts the process, and gives the folder for temporary files to its user. After an error neither exists.
 */
function startWith(scratch: string, kind: LimitedKind, isolation: Isolation): ChildProcess {
  let child: ChildProcess | undefined;
  try {
    child = startChild(kind, isolation, ownFolder(scratch));
    // This event comes later, and says less, than the error below.
    child.on('error', () => {});
    if (child.pid === undefined)
      throw new Error('The system could not start a process: it has too many, or open too many files.');
    yieldProcessor(child.pid);
    const uid = userOf(child.pid, isolation);
    if (uid !== undefined) {
      chmodSync(scratch, 0o711);
      chownSync(ownFolder(scratch), uid, uid);
    }
    return child;
  } catch (error) {
    child?.kill('SIGKILL');
    void removeWorkFolder(scratch);
    throw error;
  }
}

/** Answers only the asks offered for this run. */
async function ask(
  asks: object,
  { name, argument }: Extract<ChildMessage, { kind: 'ask' }>,
): Promise<unknown> {
  const found = Object.hasOwn(asks, name)
    ? (asks as Record<string, (argument: unknown) => Promise<unknown>>)[name]
    : undefined;
  if (!found) throw new Error('A process asked for what it may not have.');
  return found(argument);
}
