import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Probed, Probe } from './prober.ts';

// Asks all the time, on a thread of its own: what the test itself does must not count.
const pauseMs = 40;

for (const { name, url, headers } of workerData as Probe[]) void ask(name, url, headers);

async function ask(name: string, url: string, headers: Record<string, string>): Promise<never> {
  for (;;) {
    const startMs = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    parentPort?.postMessage({
      name,
      status: response.status,
      ms: performance.now() - startMs,
    } satisfies Probed);
    await delay(pauseMs);
  }
}
