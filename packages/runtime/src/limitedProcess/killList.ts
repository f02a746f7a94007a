import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { writeRecord } from './groupRecord.ts';
import type { OwnUser } from './isolation.ts';
import { killerCommand, killUserAtExit } from './killUser.ts';
import { killGroup, toEntry, type ListedGroup } from './listedGroup.ts';

const script = fileURLToPath(new URL('reaper.sh', import.meta.url));
const pauseMs = 1_000;

/**
 * The process groups that must end with this process.
 *
 * A small process, the reaper, has a pipe from this one and a copy of the list: it kills the listed groups if
 * this process is killed.
 */
class KillList {
  readonly #listed = new Map<string, { group: ListedGroup; isolation: OwnUser | undefined }>();
  #reaper: ChildProcess | undefined;
  #startedMs = -Infinity;

  /** Resolves once the group is certain to end with this process. */
  async add(group: ListedGroup, isolation: OwnUser | undefined): Promise<void> {
    if (this.#listed.size === 0) process.once('exit', this.#killAll);
    const entry = toEntry(group);
    this.#listed.set(entry, { group, isolation });
    this.#note();
    if (this.#reaper) await this.#write(`+${entry}\n`);
    else this.#start();
  }

  /** Removes a group without any processes left. */
  remove(group: ListedGroup): void {
    const entry = toEntry(group);
    if (!this.#listed.delete(entry)) return;
    this.#note();
    void this.#write(`-${entry}\n`);
    if (this.#listed.size === 0) process.off('exit', this.#killAll);
  }

  /** Starts the reaper with the list; it inherits only the pipe, and does not keep this process alive. */
  #start(): void {
    this.#startedMs = performance.now();
    const isolation = [...this.#listed.values()].find((one) => one.isolation !== undefined)?.isolation;
    const killer = isolation ? killerCommand(isolation) : ['', '', ''];
    let reaper: ChildProcess;
    try {
      reaper = spawn('/bin/sh', [script, ...killer, ...this.#listed.keys()], {
        // In a session of its own, so that killing the worker's group spares it.
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
        cwd: '/',
        env: {},
      });
    } catch {
      return this.#startLater();
    }
    this.#reaper = reaper;
    const onEnd = () => {
      if (this.#reaper !== reaper) return;
      this.#reaper = undefined;
      this.#startLater();
    };
    reaper.on('exit', onEnd);
    reaper.on('error', onEnd);
    reaper.unref();
    // Missing when too many files are open.
    const input = reaper.stdin as ChildProcess['stdin'] | undefined;
    // The pipe is a socket with `unref`, which its type does not declare.
    (input as { unref?(): void } | null | undefined)?.unref?.();
    input?.on('error', () => {});
  }

  /** A pause prevents a restart loop of a reaper that cannot run. */
  #startLater(): void {
    const waitMs = performance.now() - this.#startedMs > pauseMs ? 0 : pauseMs;
    setTimeout(() => void (this.#reaper ?? (this.#listed.size > 0 && this.#start())), waitMs).unref();
  }

  /**
   * Resolves when the pipe has the lines, which the reaper then gets even without this process; or without a
   * reaper, because the next one gets the whole list.
   */
  async #write(lines: string): Promise<void> {
    const input = this.#reaper?.stdin;
    if (!input?.writable) return;
    await new Promise<void>((resolve) => input.write(lines, () => resolve()));
  }

  #note(): void {
    writeRecord(Array.from(this.#listed.values(), ({ group }) => group));
  }

  readonly #killAll = (): void => {
    for (const { group, isolation } of this.#listed.values()) {
      killGroup(group);
      if (isolation && group.uid !== undefined) killUserAtExit(group.uid, isolation);
    }
    this.#listed.clear();
    this.#note();
  };
}

export const killList = new KillList();
