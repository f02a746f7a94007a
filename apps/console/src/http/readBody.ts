import type { IncomingMessage } from 'node:http';
import { createBodyRoom, type BodyRoom } from '@bindery/runtime';

/** Browsers show no answer to a form that was not read to its end; longer ones are cut. */
const ignoredBytes = 200 * 1024 * 1024;
/** Forms from this size wait for room. */
const largeBytes = 1_200_000;

/** Each form in it takes about eight times the bytes of its file, until the API has answered. */
const room = createBodyRoom(2);

export type RefusedBody = 'tooLarge' | 'tooSlow' | 'incomplete';
type Body = Buffer<ArrayBuffer> | RefusedBody;

/**
 * Reads a body and works on it. Few large bodies are in memory at once: a large one keeps its room until the
 * work ends.
 *
 * @param work  gets the body, or the reason why it was not read
 */
export async function withBody<T>(
  request: IncomingMessage,
  maxBytes: number,
  work: (body: Body) => Promise<T>,
): Promise<T> {
  const { 'content-length': length = maxBytes } = request.headers;
  // Nothing is kept of a body that says that it is too long.
  if (Number(length) > maxBytes) return work(await collect(request, { maxBytes: 0 }));
  return Number(length) > largeBytes
    ? room.withRoom(async () => work(await collect(request, { maxBytes, watchPace: room.watchPace })))
    : work(await collect(request, { maxBytes }));
}

async function collect(
  request: IncomingMessage,
  { maxBytes, watchPace }: { maxBytes: number } & Partial<Pick<BodyRoom, 'watchPace'>>,
): Promise<Body> {
  const { promise, resolve } = Promise.withResolvers<Body>();
  let chunks: Buffer[] = [];
  let bytes = 0;
  const endWatch = watchPace?.(
    () => bytes,
    () => resolve('tooSlow'),
  );
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else chunks = [];
    if (bytes > maxBytes + ignoredBytes) resolve('tooLarge');
  };
  request.on('data', take);
  request.once('end', () => resolve(bytes > maxBytes ? 'tooLarge' : Buffer.concat(chunks)));
  request.once('close', () => resolve('incomplete'));
  // The browser has left while the form waited: the event is past.
  if (request.destroyed) resolve('incomplete');
  const body = await promise;
  endWatch?.();
  chunks = [];
  // Drops the rest, within the time limit of requests.
  request.off('data', take).resume();
  return body;
}
