import { createInflate, inflateSync } from 'node:zlib';

import { type ByteWindow, endedEarly } from '@bindery/git-remote';

import { malformedPack } from './packErrors.ts';

/**
 * Objects up to this size are inflated in one call, which is several times faster than a stream for small
 * ones.
 */
export const maxWholeBytes = 512 * 1024;

type Inflating = { size: number; onConsumed(bytes: Buffer): void };

/**
 * Inflates one zlib stream at the front of the window, which has more bytes after it.
 *
 * @throws JobError bad_content when the stream is cut, broken or not exactly `size` bytes long
 */
export async function inflateWhole(window: ByteWindow, { size, onConsumed }: Inflating): Promise<Buffer> {
  // The most that zlib makes of incompressible bytes; other encoders may need more, so the input grows when
  // it was too short.
  for (let wanted = size + (size >> 9) + 64; ; wanted *= 2) {
    const isComplete = !(await window.fill(wanted));
    const found = tryInflate(window.bytes.subarray(0, wanted), size);
    if (found) {
      onConsumed(window.take(found.consumed));
      return found.bytes;
    }
    if (isComplete) throw endedEarly();
  }
}

/** The result with `info`, missing in the types. */
type Inflated = { buffer: Buffer; engine: { bytesWritten: number; _outBuffer?: Buffer } };

function tryInflate(input: Buffer, size: number): { bytes: Buffer; consumed: number } | undefined {
  try {
    // One byte more than announced: it detects a longer stream, and a correct one ends in one step.
    const { buffer, engine } = inflateSync(input, {
      info: true,
      chunkSize: Math.max(64, size + 1),
      maxOutputLength: size + 1,
    }) as unknown as Inflated;
    // The engine lives until the next full collection; without this its buffer would too.
    delete engine._outBuffer;
    if (buffer.length !== size) throw malformedPack();
    return { bytes: buffer, consumed: engine.bytesWritten };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') return undefined;
    throw brokenStream(error);
  }
}

/**
 * The same for an object of any size: its bytes are passed on as they arrive and are never in memory as a
 * whole.
 */
export async function inflateInPieces(
  window: ByteWindow,
  { size, onConsumed, onPiece }: Inflating & { onPiece(piece: Buffer): void },
): Promise<void> {
  const inflate = createInflate({ chunkSize: 64 * 1024 });
  let produced = 0;
  let hasEnded = false;
  let failure: unknown;
  let wake = () => {};
  inflate.on('data', (piece: Buffer) => {
    produced += piece.length;
    // Counted before it is passed on, so that a stream with a false size fills no disk.
    if (produced <= size) onPiece(piece);
  });
  inflate.on('end', () => (hasEnded = true));
  inflate.on('error', (error) => {
    failure = error;
    wake();
  });
  try {
    while (!hasEnded) {
      if (!(await window.fill(1))) throw endedEarly();
      const before = inflate.bytesWritten;
      await new Promise<void>((resolve) => {
        wake = resolve;
        // 'end' comes a tick after the last piece was consumed.
        inflate.write(window.bytes, () => setImmediate(resolve));
      });
      if (failure || produced > size) throw brokenStream(failure);
      onConsumed(window.take(inflate.bytesWritten - before));
    }
  } finally {
    inflate.destroy();
  }
  if (produced !== size) throw malformedPack();
}

/** Only a lack of memory is not the pack's fault. */
function brokenStream(error: unknown): unknown {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'Z_MEM_ERROR' ? error : malformedPack(error);
}
