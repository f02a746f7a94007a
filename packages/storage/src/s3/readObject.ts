import { Readable } from 'node:stream';
import type { FileRecord } from '../fileRecord.ts';
import { blockBytes, blocksOf, isBlock } from './blocks.ts';
import type { ObjectClient } from './objectClient.ts';
import { CorruptBlob, ObjectStoreProblem, ObjectStoreUnavailable, problemOf } from './problems.ts';

/**
 * Reads a file from its object, whole or from `start` to before `end`. The stream asks for nothing before
 * somebody reads it, and goes on after a broken connection.
 *
 * It fails with CorruptBlob instead of passing on a block that is not the one that was written.
 */
export function readObject(
  client: ObjectClient,
  file: FileRecord,
  range: { start: number; end: number } = { start: 0, end: file.length },
): Readable {
  return Readable.from(readBlocks(client, file, range), { objectMode: false });
}

async function* readBlocks(
  client: ObjectClient,
  file: FileRecord,
  { start, end }: { start: number; end: number },
): AsyncIterable<Buffer> {
  const endBlock = Math.ceil(Math.min(end, file.length) / blockBytes);
  let block = Math.floor(start / blockBytes);
  while (block < endBlock) {
    const from = block;
    const wanted = { start: block * blockBytes, end: Math.min(endBlock * blockBytes, file.length) };
    try {
      for await (const bytes of blocksOf(await open(client, file, wanted))) {
        const offset = block * blockBytes;
        if (!isBlock(bytes, block, file.blocks!))
          throw new CorruptBlob(file.filename, `(object ${file.object}) do not match their checksum`);
        block += 1;
        yield bytes.subarray(Math.max(0, start - offset), Math.min(bytes.length, end - offset));
      }
      if (block < endBlock) throw new CorruptBlob(file.filename, `(object ${file.object}) end too early`);
    } catch (error) {
      const problem = isKnown(error) ? error : problemOf(error, `GetObject of ${file.object}`);
      // A connection that broke is opened again, but not one that brought nothing: the SDK has tried that.
      if (!(problem instanceof ObjectStoreUnavailable) || block === from) throw problem;
    }
  }
}

const isKnown = (error: unknown): error is Error =>
  error instanceof CorruptBlob ||
  error instanceof ObjectStoreProblem ||
  error instanceof ObjectStoreUnavailable;

async function open(client: ObjectClient, file: FileRecord, range: { start: number; end: number }) {
  try {
    return await client.open(file.object!, range);
  } catch (error) {
    // 416: the object is shorter than the range begins.
    if (error instanceof ObjectStoreProblem && ['NoSuchKey', 'InvalidRange'].includes(error.reason))
      throw new CorruptBlob(file.filename, `are missing (${error.message})`);
    throw error;
  }
}
