import { createBodyRoom } from '@bindery/runtime';
import { answerOfThread } from '../answerOfThread.ts';
import type { BodyLimits, ParsedBytes } from './jsonBytes.ts';

/** A body from this size may block the process for longer than other requests should wait. */
export const largeBodyBytes = 1024 * 1024;

/** The room for the large bodies of all callers that have a token. */
export const roomForBodies = createBodyRoom(4);

/** Parses a body on a thread of its own. The bytes move there. */
export async function parseOnThread(bytes: Buffer, limits: BodyLimits): Promise<ParsedBytes> {
  return answerOfThread(new URL('./jsonThread.ts', import.meta.url), {
    workerData: { bytes, limits },
    transferList: [bytes.buffer as ArrayBuffer],
    memoryMb: 512,
  });
}
