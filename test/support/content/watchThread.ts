import { readFileSync } from 'node:fs';

const everyMs = 5;

/** Delays of this thread's timers since the watch began. */
export type ThreadWatch = {
  /** The longest time between two turns of a timer, including time used by other processes. */
  longestGapMs(): number;
  /**
   * The longest time between two turns, without the time in which the thread could run but waited for a
   * processor: what this process itself causes, such as starting a program or collecting garbage. Equals
   * `longestGapMs` where the system does not report that time.
   */
  longestHoldMs(): number;
  /**
   * The most processor time of the thread between two turns: its own work, whatever the load of the machine.
   */
  longestWorkMs(): number;
  stop(): void;
};

export function watchThread(): ThreadWatch {
  let lastMs = performance.now();
  let lastCpu = process.threadCpuUsage();
  let lastQueuedMs = queuedMs();
  let longestGapMs = 0;
  let longestHoldMs = 0;
  let longestWorkMs = 0;
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(lastCpu);
    const gapMs = performance.now() - lastMs;
    const queued = queuedMs();
    longestGapMs = Math.max(longestGapMs, gapMs);
    longestHoldMs = Math.max(longestHoldMs, gapMs - (queued - lastQueuedMs));
    longestWorkMs = Math.max(longestWorkMs, (user + system) / 1_000);
    lastQueuedMs = queued;
    lastMs = performance.now();
    lastCpu = process.threadCpuUsage();
  }, everyMs);
  return {
    longestGapMs: () => longestGapMs,
    longestHoldMs: () => longestHoldMs,
    longestWorkMs: () => longestWorkMs,
    stop: () => clearInterval(timer),
  };
}

/** The time for which the thread has waited for a processor; Linux reports it. */
function queuedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1_000_000;
  } catch {
    return 0;
  }
}
