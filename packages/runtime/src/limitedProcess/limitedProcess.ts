import type { ChildProcess } from 'node:child_process';
import type { JobError } from '@bindery/contract';
import { statOf } from '../processes.ts';
import { endGroups } from './endGroups.ts';
import { toJobError } from './failure.ts';
import { handOver, takeBack, type HandedFolder } from './handOver.ts';
import { findIsolation } from './isolation.ts';
import { killList } from './killList.ts';
import { killGroup, listedGroup, type ListedGroup } from './listedGroup.ts';
import type { ChildMessage, ParentMessage } from './messages.ts';
import { startChild, type LimitedKind } from './startChild.ts';
import type { LimitedWork } from './work.ts';

export type LimitedRun<Work extends LimitedWork> = {
  /** Ends the process at once; the run fails with the signal's reason. */
  signal: AbortSignal;
  /** One that fails, fails the run. */
  onEvent?(event: Work['event']): void | Promise<void>;
  /** What the process may ask. One that fails, fails the run. */
  asks?: Work['asks'];
  /** The process is ended when it says nothing for so long. Default: it may think as long as it likes. */
  quiet?: { ms: number; tooSlow(): JobError };
  /** Where it may write: into `ownFolder` of this, which is the worker's again when the run has succeeded. */
  folder?: HandedFolder;
};

/** A process that waits for one request, serves it and is killed. */
export class LimitedProcess {
  readonly #kind: LimitedKind;
  readonly #child: ChildProcess;
  readonly #setpriv: string | undefined;
  /** Its own group first, then those that it started. */
  readonly #groups: ListedGroup[] = [];
  readonly #uid: number | undefined;
  readonly #listed: Promise<void> = Promise.resolve();
  /** Settles when it has ended, however that came about. */
  readonly ended: Promise<unknown>;

  constructor(kind: LimitedKind) {
    this.#kind = kind;
    const isolation = findIsolation(kind.firstUid);
    this.#child = startChild(kind, isolation);
    const { pid } = this.#child;
    this.#setpriv = isolation.kind === 'own-user' ? isolation.setpriv : undefined;
    // What went wrong is known by its end.
    this.#child.on('error', () => {});
    this.ended = pid === undefined ? Promise.resolve() : new Promise((resolve) => this.#child.once('exit', resolve));
    if (pid === undefined) return;
    this.#uid = isolation.kind === 'own-user' ? isolation.firstUid + pid : undefined;
    this.#listed = this.#list(pid, this.#uid);
    // A process that waits keeps nobody from ending.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** Whether it can take a request. */
  get isReady(): boolean {
    return !this.#hasEnded && this.#child.connected;
  }

  /** @throws JobError; what an event or an ask threw */
  async run(name: string, request: unknown, run: LimitedRun<LimitedWork>): Promise<unknown> {
    this.#child.ref();
    this.#child.channel?.ref();
    await this.#listed;
    if (run.folder) await handOver(run.folder, this.#uid);
    const result = await this.#serve(name, request, run);
    const hasEnded = await this.end();
    if (!hasEnded) throw new Error('A process is still there although it was killed.');
    if (run.folder) await takeBack(run.folder.path);
    return result;
  }

  #serve(name: string, request: unknown, { onEvent, asks = {}, quiet }: LimitedRun<LimitedWork>): Promise<unknown> {
    const child = this.#child;
    let quietTimer: NodeJS.Timeout | undefined;
    const served = new Promise((resolve, reject) => {
      const listen = () => {
        clearTimeout(quietTimer);
        if (quiet) quietTimer = setTimeout(() => reject(quiet.tooSlow()), quiet.ms);
      };
      const follow = async (event: unknown) => onEvent?.(event);
      const answer = (id: number, given: Promise<unknown>) =>
        given.then((value) => this.#tell({ kind: 'answer', id, answer: value }), reject);
      const take = (message: ChildMessage) => {
        listen();
        if (message.kind === 'event') follow(message.event).catch(reject);
        else if (message.kind === 'ask') void answer(message.id, ask(asks, message));
        else if (message.kind === 'group') void answer(message.id, this.#addGroup(message.pid));
        else if (message.kind === 'done') resolve(message.result);
        else reject(toJobError(message.failure, this.#kind.outOfMemory));
      };
      child.on('message', (message: ChildMessage) => {
        try {
          take(message);
        } catch (error) {
          // A child that was taken over may say anything: that ends its run, not the worker.
          reject(new Error('A process sent a message that is none.', { cause: error }));
        }
      });
      const onEnd = () => reject(this.#kind.outOfMemory());
      // After `exit` messages can still arrive; after `disconnect` none does.
      if (!child.connected) onEnd();
      child.once('disconnect', onEnd);
      child.once('error', reject);
      this.#tell({ kind: 'request', work: name, request }, (error) => error && onEnd());
      listen();
    });
    return served.finally(() => clearTimeout(quietTimer));
  }

  /** Kills it with everything that it started. */
  kill(): void {
    if (this.#child.pid !== undefined && !this.#hasEnded) killGroup({ pid: this.#child.pid });
    for (const group of this.#groups.slice(1)) killGroup(group);
  }

  /** Kills it, and resolves when nothing of it is left: to whether that is so. */
  async end(): Promise<boolean> {
    this.kill();
    await Promise.all([this.#listed, this.ended]);
    const hasEnded = await endGroups(this.#groups, this.#setpriv);
    // What the kernel does not end now stays on the list.
    if (hasEnded) for (const group of this.#groups) killList.remove(group);
    return hasEnded;
  }

  /** Only what the process has just started, and what waits at its gate, is taken for a group of its own: the worker will kill it. */
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
    return killList.add(group, this.#setpriv);
  }

  #tell(message: ParentMessage, onSent: (error: Error | null) => void = () => {}): void {
    if (this.#child.connected) this.#child.send(message, onSent);
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** Only what is offered for this run is answered. */
async function ask(asks: object, { name, argument }: Extract<ChildMessage, { kind: 'ask' }>): Promise<unknown> {
  const found = Object.hasOwn(asks, name) ? (asks as Record<string, (argument: unknown) => Promise<unknown>>)[name] : undefined;
  if (!found) throw new Error('A process asked for what it may not have.');
  return found(argument);
}
