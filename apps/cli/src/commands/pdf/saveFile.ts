import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { messageOf } from '@bindery/runtime';
import { Refusal } from '../../refusal.ts';

/**
 * Downloads a file, under the name in its URL unless another is given. It appears under its name only when it
 * is complete.
 *
 * @throws Refusal when it cannot be downloaded or written
 */
export async function saveFile(
  url: string,
  given: string | undefined,
): Promise<{ file: string; sizeBytes: number }> {
  const file = given ?? (basename(decodeURIComponent(new URL(url).pathname)) || 'book.pdf');
  const answer = await fetch(url).catch((error: unknown) => {
    throw new Refusal('The PDF could not be downloaded: the API does not answer.', [], { cause: error });
  });
  if (!answer.ok || !answer.body)
    throw new Refusal(`The PDF could not be downloaded: the API answered ${answer.status}.`);
  const partial = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(partial));
    await rename(partial, file);
    return { file, sizeBytes: (await stat(file)).size };
  } catch (error) {
    await rm(partial, { force: true });
    const reason = messageOf(error);
    throw new Refusal(`${file} could not be written: ${reason}`, ['Choose another place with `-o FILE`.'], {
      cause: error,
    });
  }
}
