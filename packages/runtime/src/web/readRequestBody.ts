import type { IncomingMessage } from 'node:http';
import type { BodyRoom } from './bodyRoom.ts';

/** Why a body was not read. */
export type RefusedBody = 'tooLarge' | 'tooSlow' | 'incomplete';

/**
 * Reads the body of a request into memory. The rest of a refused one is dropped as it arrives, within the
 * time limit of requests.
 *
 * @param ignoredBytes  how much more than `maxBytes` is read, and not kept, before a body is refused:
 *   browsers show no answer to a form that was not read to its end
 * @param watchPace  refuses a body that arrives slowly, as a `BodyRoom` does
 */
export async function readRequestBody(
  request: IncomingMessage,
  {
    maxBytes,
    ignoredBytes = 0,
    watchPace,
  }: { maxBytes: number; ignoredBytes?: number } & Partial<Pick<BodyRoom, 'watchPace'>>,
): Promise<Buffer<ArrayBuffer> | RefusedBody> {
  const { promise, resolve } = Promise.withResolvers<Buffer<ArrayBuffer> | RefusedBody>();
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  // Nothing is kept of a body that says that it is too long.
  const keptBytes = declaredBytes > maxBytes ? 0 : maxBytes;
  let chunks: Buffer[] = [];
  let bytes = 0;
  const endWatch = watchPace?.(
    () => bytes,
    () => resolve('tooSlow'),
  );
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= keptBytes) chunks.push(chunk);
    else chunks = [];
    if (bytes > keptBytes + ignoredBytes) resolve('tooLarge');
  };
  request.on('data', take);
  request.once('end', () => resolve(bytes > keptBytes ? 'tooLarge' : Buffer.concat(chunks)));
  request.once('close', () => resolve('incomplete'));
  // The client has left while the body waited to be read: the event is past.
  if (request.destroyed) resolve('incomplete');
  if (declaredBytes > maxBytes + ignoredBytes) resolve('tooLarge');
  const body = await promise;
  endWatch?.();
  chunks = [];
  request.off('data', take).resume();
  return body;
}
