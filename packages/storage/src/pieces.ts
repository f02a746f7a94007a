import { Writable } from 'node:stream';

/** The stream, and a function that waits until no piece is being written any more. */
export type PieceWriter = { stream: Writable; settled: () => Promise<void> };

/**
 * Cuts a stream into pieces of one size. The rest, which is shorter and may be empty, goes to `end`.
 *
 * At most one piece and the chunk that completes it are in memory.
 */
export function cutIntoPieces(
  pieceBytes: number,
  write: { piece(bytes: Buffer): Promise<void>; end(rest: Buffer): Promise<void> },
): PieceWriter {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let running: Promise<void> = Promise.resolve();

  const take = () => {
    const piece = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return piece;
  };
  const add = async (chunk: Buffer) => {
    let rest = chunk;
    while (heldBytes + rest.length >= pieceBytes) {
      const missing = pieceBytes - heldBytes;
      held.push(rest.subarray(0, missing));
      rest = rest.subarray(missing);
      await write.piece(take());
    }
    if (rest.length === 0) return;
    held.push(rest);
    heldBytes += rest.length;
  };
  const run = (work: Promise<void>, done: (error?: Error) => void) => {
    running = work;
    work.then(() => done(), done);
  };

  return {
    stream: new Writable({
      write(chunk: Buffer, _encoding, done) {
        run(add(chunk), done);
      },
      final(done) {
        run(write.end(take()), done);
      },
    }),
    settled: () => running.catch(() => {}),
  };
}
