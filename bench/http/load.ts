import { Agent, request } from 'node:http';

/** A request to measure; with `tag` a conditional one. */
export type Target = {
  origin: string;
  path: string;
  token?: string;
  method?: 'GET' | 'PATCH' | 'POST';
  json?: unknown;
  tag?: string;
};

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

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

/** @throws unless the request succeeds: an error would be faster */
export async function send({
  origin,
  path,
  token,
  method = 'GET',
  json,
  tag,
}: Target): Promise<{ tookMs: number; text: string; tag: string }> {
  const startedMs = performance.now();
  const body = json === undefined ? undefined : JSON.stringify(json);
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(tag !== undefined && { 'if-none-match': tag }),
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const call = request(origin + path, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isMeant = response.statusCode === (tag === undefined ? 200 : 304);
        if (isMeant)
          resolve({ tookMs: performance.now() - startedMs, text, tag: response.headers.etag ?? '' });
        else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}

export function closeConnections(): void {
  agent.destroy();
}
