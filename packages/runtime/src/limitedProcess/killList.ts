import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { writeRecord } from './groupRecord.ts';
import type { OwnUser } from './isolation.ts';
import { killerCommand, killUserAtExit } from './killUser.ts';
import { killGroup, toEntry, type ListedGroup } from './listedGroup.ts';

const script = fileURLToPath(new URL('reaper.sh', import.meta.url));
const pauseMs = 1_000;

/**
 * The process groups that must not outlive this process.
 *
 * A small process, the reaper, holds a pipe from this one and the same list: it kills what is on it when this one was killed and could not.
 */
class KillList {
  readonly #listed = new Map<string, { group: ListedGroup; isolation: OwnUser | undefined }>();
  #reaper: ChildProcess | undefined;
  #startedMs = -Infinity;

  /** Resolves once the group ends with this process, whatever happens. */
  async add(group: ListedGroup, isolation: OwnUser | undefined): Promise<void> {
    if (this.#listed.size === 0) process.once('exit', this.#killAll);
    const entry = toEntry(group);
    this.#listed.set(entry, { group, isolation });
    this.#note();
    if (this.#reaper) await this.#write(`+${entry}\n`);
    else this.#start();
  }

  /** For a group of which nothing is left. */
  remove(group: ListedGroup): void {
    const entry = toEntry(group);
    if (!this.#listed.delete(entry)) return;
    this.#note();
    void this.#write(`-${entry}\n`);
    if (this.#listed.size === 0) process.off('exit', this.#killAll);
  }

  /** Starts the reaper with the list; it has nothing else of this process but the pipe, and does not keep it alive. */
  #start(): void {
    this.#startedMs = performance.now();
    const isolation = [...this.#listed.values()].find((one) => one.isolation !== undefined)?.isolation;
    const killer = isolation ? killerCommand(isolation) : ['', '', ''];
    let reaper: ChildProcess;
    try {
      reaper = spawn('/bin/sh', [script, ...killer, ...this.#listed.keys()], {
        // In a session of its own: who kills the group of the worker does not kill it.
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
    // There is none where too many files are open.
    const input = reaper.stdin as ChildProcess['stdin'] | undefined;
    // Its socket has `unref`, which the type of a pipe does not say.
    (input as { unref?(): void } | null | undefined)?.unref?.();
    input?.on('error', () => {});
  }

  /** One that cannot live is not started over and over. */
  #startLater(): void {
    const waitMs = performance.now() - this.#startedMs > pauseMs ? 0 : pauseMs;
    setTimeout(() => void (this.#reaper ?? (this.#listed.size > 0 && this.#start())), waitMs).unref();
  }

  /** Resolves when the reaper's pipe has it, from where it gets it also without this process; or when there is none, and the next gets all. */
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
