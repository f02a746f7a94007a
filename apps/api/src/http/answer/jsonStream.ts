import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

type Part = string | AsyncIterable<Uint8Array | string>;

/**
 * The body of an answer that is too large to be parsed and written again by the process that answers
 * requests: its JSON text, in parts that are read while it is sent.
 */
export class JsonStream {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** Makes a body of a handler's type from parts of its JSON text. */
export function streamedJson<Body>(...parts: Part[]): Body {
  return new JsonStream(parts) as Body;
}

/** Returns the text of a stream as JSON text of a string, with its quotes. */
export async function* quotedText(bytes: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  yield '"';
  // Whole characters only: the decoder keeps what a chunk breaks.
  for await (const chunk of bytes as AsyncIterable<Uint8Array>)
    yield JSON.stringify(decoder.decode(chunk, { stream: true })).slice(1, -1);
  yield JSON.stringify(decoder.decode()).slice(1, -1);
  yield '"';
}

/** Sends the parts one after the other; a client that leaves ends the reading. */
export async function sendParts(response: Response, { parts }: JsonStream): Promise<void> {
  await pipeline(async function* () {
    for (const part of parts)
      if (typeof part === 'string') yield part;
      else yield* part;
  }, response).catch(() => {});
}
