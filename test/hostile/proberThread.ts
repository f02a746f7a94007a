import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Probed, Probe } from './prober.ts';

// Asks all the time, on a thread of its own: what the test itself does must not count.

for (const probe of workerData as Probe[]) void ask(probe);

async function ask({ name, url, headers, limitMs }: Probe): Promise<never> {
  for (;;) {
    const startMs = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    parentPort?.postMessage({
      name,
      status: response.status,
      ms: performance.now() - startMs,
    } satisfies Probed);
    // Short beside what it looks for: more requests would only take the processor from what is tested.
    await delay(limitMs / 10);
  }
}
