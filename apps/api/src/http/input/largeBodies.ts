import { answerOfThread } from '../answerOfThread.ts';
import { createTurns } from '../turns.ts';
import type { BodyLimits, ParsedBytes } from './jsonBytes.ts';

/** A body from this size may block the process for longer than other requests should wait. */
export const largeBodyBytes = 1024 * 1024;

/** More at once could fill the memory of the process; further bodies stay in the network until then. */
const takeTurn = createTurns(4);

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
