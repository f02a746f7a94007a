import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from './stack.ts';

type Json = Record<string, unknown>;
export type JobAnswer = { id: string; kind: string; state: string; error?: unknown; result?: Json };

/** Requests to an installation, by its containers of the API in turns, like a proxy before them. */
export type Client = {
  /** Statuses of all answers so far, and how many. */
  statuses: Map<number, number>;
  /** Sends a request; one that reaches no container, or is refused with 429 or 503, is repeated for 90 s. */
  send(method: string, path: string, json?: unknown): Promise<{ body: Json; job: string | undefined }>;
  /** Waits for the end of a job, and fails unless it succeeded. */
  finish(job: string | undefined): Promise<JobAnswer>;
};

export function createClient(stack: Stack, token: string): Client {
  const statuses = new Map<number, number>();
  let turn = 0;
  const attempt = async (method: string, path: string, json: unknown, key: string) => {
    const urls = await stack.apiUrls();
    turn += 1;
    const response = await fetch(`${urls[turn % urls.length]}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(method === 'POST' && { 'idempotency-key': key }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(90_000),
    });
    const text = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    return { response, text };
  };
  const send: Client['send'] = async (method, path, json) => {
    const endMs = performance.now() + 90_000;
    const key = crypto.randomUUID();
    for (;;) {
      const answer = await attempt(method, path, json, key).catch((error: Error) => error);
      const isRefused = !(answer instanceof Error) && [429, 503].includes(answer.response.status);
      if ((answer instanceof Error || isRefused) && performance.now() < endMs) {
        const seconds = isRefused ? Number(answer.response.headers.get('retry-after') ?? 1) : 0.2;
        await delay(seconds * 1_000);
        continue;
      }
      if (answer instanceof Error) throw answer;
      const { response, text } = answer;
      if (!response.ok)
        throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return {
        body: (isJson && text !== '' ? JSON.parse(text) : {}) as Json,
        job: response.headers.get('x-job-id') ?? undefined,
      };
    }
  };
  return {
    statuses,
    send,
    async finish(job) {
      if (job === undefined) throw new Error('The answer names no job.');
      const endMs = performance.now() + 180_000;
      for (;;) {
        const answer = (await send('GET', `/jobs/${job}?wait=20`)).body as JobAnswer;
        if (answer.state === 'succeeded') return answer;
        if (!['accepted', 'queued', 'running'].includes(answer.state) || performance.now() > endMs)
          throw new Error(`${answer.kind} is ${answer.state}: ${JSON.stringify(answer.error)}`);
      }
    },
  };
}

/** Between the imports of a caller, so that all of them stay within the limit of requests. */
const pauseMs = 2_000;

/**
 * Imports a repository into new spaces, one after the other by each of four callers, until `signal` aborts.
 *
 * @returns how many; each has succeeded, and its space has the pages once
 */
export async function importUntil(
  client: Client,
  { organization, url, signal }: { organization: string; url: string; signal: AbortSignal },
): Promise<number> {
  let imported = 0;
  const caller = async () => {
    while (!signal.aborted) {
      const { body } = await client.send('POST', `/orgs/${organization}/spaces`, { title: 'Load' });
      const space = String(body.id);
      const remote = { url, ref: 'refs/heads/main' };
      const { job } = await client.send('POST', `/spaces/${space}/git/import`, remote);
      await client.finish(job);
      const { pages } = (await client.send('GET', `/spaces/${space}/content/pages`)).body as {
        pages: { title: string }[];
      };
      const titles = pages.map(({ title }) => title).join(', ');
      if (titles !== 'Home, Soil') throw new Error(`The space has the pages ${titles}.`);
      imported += 1;
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
  return imported;
}
