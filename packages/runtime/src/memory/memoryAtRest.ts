import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

const usualEveryMs = 20_000;
/** Most of the time in which a process at rest is busy: it still renews leases and reports its health. */
const restingUtilization = 0.05;
/** Less is not worth the pause of a collection. */
const worthwhileBytes = 8 * 2 ** 20;

/**
 * Collects garbage when the process has had nothing to do for a while. Without it, V8 leaves the heap of an
 * idle process as its last work has left it: after the start twice as large as what is in use, after a large
 * job several times.
 *
 * A collection blocks the process for about 0.1 s, and is repeated only after the heap has grown.
 *
 * @param options.everyMs  milliseconds between two looks at the process
 * @returns ends it
 */
export function collectAtRest({ everyMs = usualEveryMs } = {}): () => void {
  let since = performance.eventLoopUtilization();
  let collectedTo = 0;
  const look = async () => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    if (utilization > restingUtilization || heapBytes() < collectedTo + worthwhileBytes) return;
    await collectGarbage();
    collectedTo = heapBytes();
  };
  // A Node without an inspector cannot collect, and runs as well without it.
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), everyMs).unref();
  return () => clearInterval(timer);
}

function heapBytes(): number {
  return getHeapStatistics().total_heap_size;
}

/** By the inspector, because `gc` exists only in processes started with an option for it. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
