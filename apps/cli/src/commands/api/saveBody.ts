import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { messageOf } from '@bindery/runtime';
import { Refusal } from '../../refusal.ts';

/**
 * Writes the body of an answer to a file. It appears under its name only when it is complete.
 *
 * @returns its size in bytes
 * @throws Refusal when it cannot be written
 */
export async function saveBody(body: ReadableStream, file: string): Promise<number> {
  const partial = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(body), createWriteStream(partial));
    await rename(partial, file);
    return (await stat(file)).size;
  } catch (error) {
    await rm(partial, { force: true });
    const reason = messageOf(error);
    throw new Refusal(`${file} could not be written: ${reason}`, ['Choose another place with `-o FILE`.'], {
      cause: error,
    });
  }
}
