import { Worker } from 'node:worker_threads';
import type { BodyLimits, ParsedBytes } from './jsonBytes.ts';

/** A body from this size may block the process for longer than other requests should wait. */
export const largeBodyBytes = 1024 * 1024;

/** More at once could fill the memory of the process; further bodies stay in the network until then. */
const mostAtOnce = 4;

const waiting: (() => void)[] = [];
let running = 0;

/** Reads a body that may be large. At most four are in memory at the same time, in the order of arrival. */
export async function withRoomForBody<T>(read: () => Promise<T>): Promise<T> {
  if (running === mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await read();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Parses a body on a thread of its own. The bytes move there. */
export async function parseOnThread(bytes: Buffer, limits: BodyLimits): Promise<ParsedBytes> {
  // The thread must not inherit the Node options of this process.
  const worker = new Worker(new URL('./jsonThread.ts', import.meta.url), {
    execArgv: [],
    workerData: { bytes, limits },
    transferList: [bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The thread that parses a body ended without an answer.')));
  });
}
