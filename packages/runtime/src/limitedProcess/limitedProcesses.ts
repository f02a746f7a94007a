import { JobError } from '@bindery/contract/jobErrors';
import { LimitedProcess, type LimitedRun } from './limitedProcess.ts';
import type { LimitedKind } from './startChild.ts';
import type { LimitedWork, LimitedWorks } from './work.ts';

export type LimitedProcesses<Works extends LimitedWorks> = {
  /**
   * Has a process of its own do one work on bytes that strangers made: whatever they do to it, it is ended, and this process is not.
   *
   * @throws JobError, also what the work itself throws; the signal's reason; what an event or an ask threw
   */
  run<Name extends keyof Works & string>(
    work: Name,
    request: Works[Name]['request'],
    run: LimitedRun<Works[Name]>,
  ): Promise<Works[Name]['result']>;
  /** Ends all of them; what still runs fails. Resolves when nothing is left of those that waited. */
  close(): Promise<void>;
};

const pauseMs = 1_000;

/**
 * Processes that serve one request each.
 *
 * @param prewarmed  how many are started ahead, so that no job pays for the start of Node
 */
export function createLimitedProcesses<Works extends LimitedWorks>({
  prewarmed = 0,
  ...kind
}: LimitedKind & { prewarmed?: number }): LimitedProcesses<Works> {
  const waiting: LimitedProcess[] = [];
  const running = new Set<LimitedProcess>();
  let isClosed = false;
  let startedMs = -Infinity;

  const warmUp = () => {
    if (isClosed) return;
    while (waiting.length < prewarmed) {
      startedMs = performance.now();
      let process: LimitedProcess;
      try {
        process = new LimitedProcess(kind);
      } catch {
        // It is only ahead of its time: a run that cannot have one either says why.
        setTimeout(warmUp, pauseMs).unref();
        return;
      }
      waiting.push(process);
      void process.ended.then(() => replace(process));
    }
  };
  /** One that died while it waited. Those that cannot live are not started over and over. */
  const replace = (process: LimitedProcess) => {
    const at = waiting.indexOf(process);
    if (at < 0) return;
    waiting.splice(at, 1);
    void process.end();
    setTimeout(warmUp, performance.now() - startedMs > pauseMs ? 0 : pauseMs).unref();
  };
  const take = () => {
    for (let process = waiting.shift(); process; process = waiting.shift()) {
      if (process.isReady) return process;
      void process.end();
    }
    return new LimitedProcess(kind);
  };
  warmUp();

  return {
    run: async (work, request, run) => {
      const { signal } = run;
      signal.throwIfAborted();
      if (isClosed) throw new JobError('internal', 'The processes for this work are closed.');
      const process = take();
      running.add(process);
      const stop = () => process.kill();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await process.run(work, request, run as LimitedRun<LimitedWork>);
      } catch (error) {
        await process.end();
        throw signal.aborted ? signal.reason : error;
      } finally {
        signal.removeEventListener('abort', stop);
        running.delete(process);
        // Only now: its start would have taken time from the work.
        warmUp();
      }
    },
    close: async () => {
      isClosed = true;
      for (const process of running) process.kill();
      await Promise.all(waiting.splice(0).map(async (process) => process.end()));
    },
  };
}
