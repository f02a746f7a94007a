import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Binary } from 'mongodb';

/**
 * Bytes are checked in blocks of this size: no reader gets a block before its hash was compared, and a range
 * needs only the blocks that it touches.
 */
export const blockBytes = 1024 * 1024;
const hashBytes = 32;

const hashOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The hashes of the blocks of some bytes, which begin with a block. */
export function hashBlocks(bytes: Buffer): Buffer[] {
  const blocks = Math.ceil(bytes.length / blockBytes);
  return Array.from({ length: blocks }, (_, i) =>
    hashOf(bytes.subarray(i * blockBytes, (i + 1) * blockBytes)),
  );
}

/** Whether a block has the hash that was stored for it. */
export function isBlock(bytes: Buffer, index: number, hashes: Binary): boolean {
  return hashOf(bytes).equals(hashes.buffer.subarray(index * hashBytes, (index + 1) * hashBytes));
}

/** Cuts a stream into blocks; the last one may be shorter. */
export async function* blocksOf(bytes: Readable): AsyncIterable<Buffer> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    let rest = chunk;
    while (heldBytes + rest.length >= blockBytes) {
      const missing = blockBytes - heldBytes;
      held.push(rest.subarray(0, missing));
      rest = rest.subarray(missing);
      yield Buffer.concat(held);
      held = [];
      heldBytes = 0;
    }
    held.push(rest);
    heldBytes += rest.length;
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
