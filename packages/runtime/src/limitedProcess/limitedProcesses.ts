import { JobError } from '@bindery/contract/jobErrors';
import { childEnds, childRuns } from '@bindery/metrics';
import { inSpan } from '@bindery/tracing';
import { messageOf } from '../messageOf.ts';
import { LimitedProcess, type ChildOutcome, type LimitedRun } from './limitedProcess.ts';
import type { LimitedKind } from './startChild.ts';
import type { LimitedWork, LimitedWorks } from './work.ts';

export type LimitedProcesses<Works extends LimitedWorks> = {
  /**
   * Runs one work on untrusted bytes in a process of its own: whatever the bytes do to that process, it is
   * ended, and this one survives.
   *
   * @throws JobError, also from the work itself; the signal's reason; the error of an event or ask handler
   */
  run<Name extends keyof Works & string>(
    work: Name,
    request: Works[Name]['request'],
    run: LimitedRun<Works[Name]>,
  ): Promise<Works[Name]['result']>;
  /**
   * The same, but resolves while the process still ends, which takes as long as the last write of a job. A
   * process that cannot be ended causes a process warning.
   */
  serve<Name extends keyof Works & string>(
    work: Name,
    request: Works[Name]['request'],
    run: LimitedRun<Works[Name]>,
  ): Promise<Works[Name]['result']>;
  /** Ends all processes; running works fail. Resolves when nothing of the idle ones is left. */
  close(): Promise<void>;
};

const pauseMs = 1_000;

/**
 * Creates a pool of processes that serve one request each.
 *
 * @param prewarmed  the number of processes started in advance, so that no job waits for the start of Node
 */
export function createLimitedProcesses<Works extends LimitedWorks>({
  prewarmed = 0,
  ...kind
}: LimitedKind & { prewarmed?: number }): LimitedProcesses<Works> {
  const waiting: LimitedProcess[] = [];
  const running = new Set<LimitedProcess>();
  /** The ends of served processes. */
  const ending = new Set<Promise<void>>();
  const countEnd = (outcome: ChildOutcome) => childEnds.add({ kind: kind.name, outcome });
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
        // Not needed yet: a run that cannot start a process reports the reason.
        setTimeout(warmUp, pauseMs).unref();
        return;
      }
      waiting.push(process);
      void process.ended.then(() => replace(process));
    }
  };
  /** Replaces a process that died while idle, with a pause that prevents a restart loop. */
  const replace = (process: LimitedProcess) => {
    const at = waiting.indexOf(process);
    if (at < 0) return;
    waiting.splice(at, 1);
    countEnd('crashed');
    void process.end();
    setTimeout(warmUp, performance.now() - startedMs > pauseMs ? 0 : pauseMs).unref();
  };
  const take = () => {
    for (let process = waiting.shift(); process; process = waiting.shift()) {
      if (process.isReady) return process;
      countEnd('crashed');
      void process.end();
    }
    return new LimitedProcess(kind);
  };
  const start: Start<Works> = async (work, request, run) => {
    const { signal } = run;
    signal.throwIfAborted();
    if (isClosed) throw new JobError('internal', 'The processes for this work are closed.');
    const process = take();
    const startedAtMs = performance.now();
    running.add(process);
    const stop = () => process.kill();
    signal.addEventListener('abort', stop, { once: true });
    const settle = (outcome: ChildOutcome) => {
      countEnd(outcome);
      childRuns.observe({ kind: kind.name }, (performance.now() - startedAtMs) / 1_000);
      signal.removeEventListener('abort', stop);
      running.delete(process);
      // Only now, because the start would have slowed down the work.
      warmUp();
    };
    const fail = async (error: unknown): Promise<never> => {
      await process.end();
      settle(signal.aborted ? outcomeOf(signal.reason) : process.outcome);
      throw signal.aborted ? signal.reason : error;
    };
    const served = await inSpan(`process ${work}`, {}, () =>
      process.run(work, request, run as LimitedRun<LimitedWork>),
    ).catch(fail);
    return { result: served.result, ended: served.ended.then(() => settle('ok'), fail) };
  };
  warmUp();

  return {
    run: async (work, request, run) => {
      const { result, ended } = await start(work, request, run);
      await ended;
      return result;
    },
    serve: async (work, request, run) => {
      const { result, ended } = await start(work, request, run);
      const over = ended
        .catch((error: unknown) => process.emitWarning(messageOf(error)))
        .finally(() => ending.delete(over));
      ending.add(over);
      return result;
    },
    close: async () => {
      isClosed = true;
      for (const process of running) process.kill();
      await Promise.all([...waiting.splice(0).map(async (process) => process.end()), ...ending]);
    },
  };
}

type Start<Works extends LimitedWorks> = <Name extends keyof Works & string>(
  work: Name,
  request: Works[Name]['request'],
  run: LimitedRun<Works[Name]>,
) => Promise<{ result: Works[Name]['result']; ended: Promise<void> }>;

/** A run of a job that exceeds its time limit is aborted with an error that has this reason. */
function outcomeOf(reason: unknown): ChildOutcome {
  const isDeadline = reason instanceof Error && 'reason' in reason && reason.reason === 'deadline';
  return isDeadline ? 'time_limit' : 'stopped';
}
