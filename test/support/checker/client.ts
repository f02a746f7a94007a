import { newId } from '@bindery/runtime';
import type { AppProcess } from '../processes/appProcess.ts';
import { canary, type FaultLab } from '../processes/faultLab.ts';
import { until } from '../until.ts';

/** Longer than any fault lasts. */
const patienceMs = 120_000;

export type ClientAnswer = { status: number; body: unknown; jobId: string | undefined };

/** A caller of the API like a program: it repeats what was refused, or not answered, with the same key. */
export type Client = {
  /** Sends a request until it is answered by something else than 503. */
  send(method: string, path: string, json?: unknown): Promise<ClientAnswer>;
  /** The number of answers by status; 0 for requests without an answer. */
  statuses: Map<number, number>;
  /** The longest time to an answer, in milliseconds. */
  slowestMs: number;
  /** Answers 5xx but 503 with `Retry-After`. */
  failures: string[];
  /** Answers with the password of the git server. */
  leaks: string[];
};

/** @param api  the API process to ask, which changes when one is killed */
export function createClient(lab: FaultLab, api: () => AppProcess): Client {
  const client: Client = {
    statuses: new Map(),
    slowestMs: 0,
    failures: [],
    leaks: [],
    send: (method, path, json) => {
      const headers = { 'idempotency-key': newId(), prefer: 'respond-async' };
      const ask = async (): Promise<ClientAnswer | undefined> => {
        const startedMs = performance.now();
        const { status, text, retryAfter, jobId } = await answerOf(
          lab.call(api(), method, path, json, headers),
        );
        client.statuses.set(status, (client.statuses.get(status) ?? 0) + 1);
        client.slowestMs = Math.max(client.slowestMs, performance.now() - startedMs);
        const what = `${method} ${path}: ${status} ${text.slice(0, 500)}`;
        if (text.includes(canary)) client.leaks.push(what);
        if (status >= 500 && !(status === 503 && retryAfter)) client.failures.push(what);
        // 409 with it: the same request, whose answer did not arrive, is still being carried out.
        if (status === 0 || status === 503 || (status === 409 && retryAfter)) return undefined;
        return { status, body: parsed(text), jobId };
      };
      return until(`answer to ${method} ${path}`, ask, { timeoutMs: patienceMs, everyMs: 200 });
    },
  };
  return client;
}

async function answerOf(
  call: Promise<Response>,
): Promise<{ status: number; text: string; retryAfter: boolean; jobId: string | undefined }> {
  try {
    const response = await call;
    const text = await response.text();
    const { status, headers } = response;
    return {
      status,
      text,
      retryAfter: headers.has('retry-after'),
      jobId: headers.get('x-job-id') ?? undefined,
    };
  } catch {
    // The API process was killed.
    return { status: 0, text: '', retryAfter: false, jobId: undefined };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
