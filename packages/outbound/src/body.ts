import { type Readable, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { badCoding, timedOut, tooLarge } from './errors.ts';
import type { OutboundLimits } from './limits.ts';

/**
 * Yields the bytes of a response, timed, and counted both as received and after each content decoding.
 *
 * Decoders are pulled, so a decompression bomb costs at most one chunk beyond the limit.
 * @throws JobError `timeout`, `too_large`, `bad_content`
 */
export async function* decodeBody(
  source: Readable,
  contentEncoding: string | undefined,
  limits: OutboundLimits,
): AsyncGenerator<Uint8Array> {
  let body: AsyncIterable<Uint8Array> = atMost(limits.maxBytes, fastEnough(source, limits));
  for (const decoder of decodersFor(contentEncoding)) {
    // Errors arrive through the decoder itself.
    pipeline(body, decoder, () => {});
    body = atMost(limits.maxDecodedBytes, decoder);
  }
  yield* atMost(limits.maxDecodedBytes, body);
}

async function* atMost(maxBytes: number, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

// Counts only the time spent waiting, not the time that the consumer takes with a chunk. The idle timer
// handles silence.
async function* fastEnough(
  source: Readable,
  { minBytesPerSecond = 0, rateWindowMs = 20_000 }: OutboundLimits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let waitedMs = 0;
  let askedAt: number | undefined;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    if (askedAt !== undefined) waitedMs += performance.now() - askedAt;
    bytes += chunk.length;
    if (waitedMs >= rateWindowMs) {
      if (bytes * 1000 < minBytesPerSecond * waitedMs) throw timedOut('rate');
      bytes = 0;
      waitedMs = 0;
    }
    yield chunk;
    askedAt = performance.now();
  }
}

const maxCodings = 2;
const chunkSize = 64 * 1024;

const decoders: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  deflate: () => createInflate({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
};

/** Returns decoders in the order of decoding: the last coding applied comes first. */
function decodersFor(contentEncoding = '') {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > maxCodings) throw badCoding(`is applied more than ${maxCodings} times`);
  return codings.reverse().map((coding) => {
    const create = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (!create) throw badCoding('is none of gzip, deflate and br');
    return create();
  });
}
