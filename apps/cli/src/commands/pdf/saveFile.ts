import { basename } from 'node:path';
import type { ReadableStream } from 'node:stream/web';
import { Refusal } from '../../refusal.ts';
import { saveBody } from '../api/saveBody.ts';

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
  return { file, sizeBytes: await saveBody(answer.body as ReadableStream, file) };
}
