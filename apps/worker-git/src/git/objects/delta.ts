import { malformedPack } from './packErrors.ts';

/** Reads bytes of a delta's base; the range is always inside of it. */
export type ReadBase = (from: number, length: number) => Buffer;

/** The sizes in the header of a delta, and the start of its instructions. */
export type DeltaHead = { baseSize: number; resultSize: number; instructionsAt: number };

export function readDeltaHead(delta: Buffer): DeltaHead {
  const [baseSize, afterBase] = readSize(delta, 0);
  const [resultSize, instructionsAt] = readSize(delta, afterBase);
  return { baseSize, resultSize, instructionsAt };
}

/**
 * Rebuilds an object from its base, piece by piece, so that neither must be in memory as a whole.
 *
 * @throws JobError bad_content when an instruction reaches outside of the base or the pieces do not add up to
 *   `resultSize`
 */
export function applyDelta(
  delta: Buffer,
  head: DeltaHead,
  readBase: ReadBase,
  emit: (piece: Buffer) => void,
): void {
  let left = head.resultSize;
  let at = head.instructionsAt;
  while (at < delta.length) {
    const instruction = delta[at++]!;
    let piece: Buffer;
    if (instruction & 0x80) {
      // Copy: bits 0-3 tell which bytes of the offset follow, bits 4-6 which of the size.
      let from = 0;
      let length = 0;
      for (let bit = 0; bit < 4; bit++)
        if (instruction & (1 << bit)) from += byteAt(delta, at++) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit++)
        if (instruction & (0x10 << bit)) length += byteAt(delta, at++) * 2 ** (8 * bit);
      if (length === 0) length = 0x10000;
      if (length > left || from + length > head.baseSize) throw malformedPack();
      piece = readBase(from, length);
    } else {
      if (instruction === 0 || instruction > left || at + instruction > delta.length) throw malformedPack();
      piece = delta.subarray(at, at + instruction);
      at += instruction;
    }
    left -= piece.length;
    emit(piece);
  }
  if (left !== 0) throw malformedPack();
}

function readSize(delta: Buffer, start: number): [size: number, next: number] {
  let size = 0;
  let scale = 1;
  for (let at = start; ; scale *= 128) {
    const byte = byteAt(delta, at++);
    size += (byte & 0x7f) * scale;
    if (!Number.isSafeInteger(size)) throw malformedPack();
    if (!(byte & 0x80)) return [size, at];
  }
}

function byteAt(delta: Buffer, at: number): number {
  const byte = delta[at];
  if (byte === undefined) throw malformedPack();
  return byte;
}
