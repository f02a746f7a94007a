import type { IncomingMessage } from 'node:http';
import { createBodyRoom, readRequestBody, type RefusedBody } from '@bindery/runtime';

/** Browsers show no answer to a form that was not read to its end; longer ones are cut. */
const ignoredBytes = 200 * 1024 * 1024;
/** Forms from this size wait for room. */
const largeBytes = 1_200_000;

/** Each form in it takes about eight times the bytes of its file, until the API has answered. */
const room = createBodyRoom(2);

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
  const limits = { maxBytes, ignoredBytes };
  return Number(length) > largeBytes && Number(length) <= maxBytes
    ? room.withRoom(async () =>
        work(await readRequestBody(request, { ...limits, watchPace: room.watchPace })),
      )
    : work(await readRequestBody(request, limits));
}
