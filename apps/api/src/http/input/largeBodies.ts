import { answerOfThread } from '../answerOfThread.ts';
import { createTurns } from '../turns.ts';
import type { BodyLimits, ParsedBytes } from './jsonBytes.ts';

/** A body from this size may block the process for longer than other requests should wait. */
export const largeBodyBytes = 1024 * 1024;

/** More at once could fill the memory of the process; further bodies stay in the network until then. */
const takeTurn = createTurns(4);

/** A body may arrive more slowly than this only while no other waits: at most 8 s for each 1 MiB. */
const bytesPerSecond = 128 * 1024;
/** The first packets of a body may take this long at any speed. */
const graceMs = 2_000;

/**
 * Watches a body that arrives in a turn. Without it, four clients that send a byte now and then would hold up
 * all other large bodies.
 *
 * @param received bytes until now
 * @param refuse called at most once, when the body is too slow and others wait
 * @returns a function that ends the watch
 */
export function watchPace(received: () => number, refuse: () => void): () => void {
  const begun = performance.now();
  const timer = setInterval(() => {
    const seconds = (performance.now() - begun - graceMs) / 1_000;
    if (!takeTurn.isAwaited() || received() >= seconds * bytesPerSecond) return;
    clearInterval(timer);
    refuse();
  }, 500);
  return () => clearInterval(timer);
}

/** Reads a body that may be large. At most four are in memory at the same time, in the order of arrival. */
export async function withRoomForBody<T>(read: () => Promise<T>): Promise<T> {
  const turn = await takeTurn();
  try {
    return await read();
  } finally {
    turn.end();
  }
}

/** Parses a body on a thread of its own. The bytes move there. */
export async function parseOnThread(bytes: Buffer, limits: BodyLimits): Promise<ParsedBytes> {
  return answerOfThread(new URL('./jsonThread.ts', import.meta.url), {
    workerData: { bytes, limits },
    transferList: [bytes.buffer as ArrayBuffer],
    memoryMb: 512,
  });
}
