import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { threadRestMs } from '@bindery/runtime/threads';
import { vi } from 'vitest';

/** Waits for the end of a thread that `start` starts and that gets no work, by a clock that runs ahead. */
export async function endOfRestedThread(start: () => void): Promise<void> {
  const started = once(process, 'worker');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    start();
    vi.advanceTimersByTime(threadRestMs);
  } finally {
    vi.useRealTimers();
  }
  const [thread] = (await started) as [Worker];
  await once(thread, 'exit');
}
