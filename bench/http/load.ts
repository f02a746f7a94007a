import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** A request to measure; with `tag` a conditional one, with `encoding` one that accepts a compressed body. */
export type Target = {
  origin: string;
  path: string;
  token?: string;
  method?: 'GET' | 'PATCH' | 'POST';
  json?: unknown;
  tag?: string;
  encoding?: 'br';
};

/** `firstMs` is the time to the first byte, `tookMs` to the last one. */
export type Answered = { firstMs: number; tookMs: number; body: Buffer; tag: string };

/** As many as a benchmark has readers at once. */
const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/** Sends sequential requests. @returns the milliseconds that each one took */
export async function latenciesOf(target: Target, count: number): Promise<number[]> {
  const samples: number[] = [];
  for (let i = 0; i < count; i += 1) samples.push((await send(target)).tookMs);
  return samples;
}

/** Sends as many requests as possible within the duration, from several concurrent callers. */
export async function loadOf(
  target: Target,
  { callers, durationMs }: { callers: number; durationMs: number },
) {
  const samples: number[] = [];
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - startedMs < durationMs) samples.push((await send(target)).tookMs);
    }),
  );
  return { samples, perSecond: samples.length / ((performance.now() - startedMs) / 1_000) };
}

/**
 * Sends requests at a rate, whether or not the earlier ones were answered.
 *
 * @param targets  the requests, sent in turn
 * @returns the milliseconds from the time at which each request was due, so that a stall counts for all
 *   readers who come meanwhile
 */
export async function loadAtRate(
  targets: readonly Target[],
  { perSecond, durationMs }: { perSecond: number; durationMs: number },
): Promise<number[]> {
  const startedMs = performance.now();
  const count = Math.round((perSecond * durationMs) / 1_000);
  const sent: Promise<number>[] = [];
  while (sent.length < count) {
    const dueMs = startedMs + (sent.length * 1_000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    const target = targets[sent.length % targets.length] as Target;
    sent.push(send(target).then(() => performance.now() - dueMs));
  }
  return Promise.all(sent);
}

/** @throws unless the request succeeds: an error would be faster */
export async function send(target: Target): Promise<Answered> {
  const { origin, path, token, method = 'GET', json, tag, encoding } = target;
  const startedMs = performance.now();
  const body = json === undefined ? undefined : JSON.stringify(json);
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(tag !== undefined && { 'if-none-match': tag }),
    ...(encoding !== undefined && { 'accept-encoding': encoding }),
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const call = request(origin + path, { agent, method, headers }, (response) => {
      const firstMs = performance.now() - startedMs;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const answered = { firstMs, tookMs: performance.now() - startedMs, body: Buffer.concat(chunks) };
        const { statusCode } = response;
        if (statusCode === (tag === undefined ? 200 : 304))
          resolve({ ...answered, tag: response.headers.etag ?? '' });
        else reject(unexpected(`${method} ${path} answered ${statusCode}`, answered));
      });
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection in the moment in which it was used again.
      const isStale = method === 'GET' && call.reusedSocket && error.code === 'ECONNRESET';
      if (isStale) resolve(send(target));
      else reject(error);
    });
    call.end(body);
  });
}

function unexpected(what: string, { body }: Pick<Answered, 'body'>): Error {
  return new Error(`${what}: ${body.toString().slice(0, 500)}`);
}

export function closeConnections(): void {
  agent.destroy();
}
