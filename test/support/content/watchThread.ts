const everyMs = 5;

/** Delays of this thread's timers since the watch began. */
export type ThreadWatch = {
  /** The longest time between two turns of a timer, including time used by other processes. */
  longestGapMs(): number;
  /**
   * The most processor time of the thread between two turns: its own work, whatever the load of the machine.
   */
  longestWorkMs(): number;
  stop(): void;
};

export function watchThread(): ThreadWatch {
  let lastMs = performance.now();
  let lastCpu = process.threadCpuUsage();
  let longestGapMs = 0;
  let longestWorkMs = 0;
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(lastCpu);
    longestGapMs = Math.max(longestGapMs, performance.now() - lastMs);
    longestWorkMs = Math.max(longestWorkMs, (user + system) / 1_000);
    lastMs = performance.now();
    lastCpu = process.threadCpuUsage();
  }, everyMs);
  return {
    longestGapMs: () => longestGapMs,
    longestWorkMs: () => longestWorkMs,
    stop: () => clearInterval(timer),
  };
}
