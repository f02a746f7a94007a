import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@bindery/runtime';
import { slowness } from '../machine.ts';

/** One answer to a write; without a status when the connection broke. */
export type WriteAnswer = { status?: number; retryAfter: string | null; atMs: number; tookMs: number };

/** A write with everything that was answered to it. */
export type SteadyWrite = {
  /** Unique, for the text of the write and its `Idempotency-Key`. */
  key: string;
  /** When it was first sent. */
  sentMs: number;
  answers: WriteAnswer[];
  isAccepted: boolean;
  /** Whether another try may end differently: no answer, 503, or 409 because the first try still runs. */
  isUnsettled: boolean;
  /** The body and the headers of its success. */
  result?: { text: string; headers: Headers };
};

/** Writes that are sent at a steady rate, however slowly they are answered. */
export type SteadyWrites = {
  writes: SteadyWrite[];
  /** Sends no more, waits until all are answered, and returns them. */
  stop(): Promise<SteadyWrite[]>;
};

/** How a client asks again after 503; sooner than told, so that the first possible success is seen. */
const againMs = 250;

/**
 * Sends writes at a steady rate, which is lower on a busy machine: that would only fall behind. Each is
 * repeated with its key until it is settled, or for `patienceMs`.
 *
 * @param send  sends a write with this key, as its text and `Idempotency-Key`
 */
export function sendSteadily(
  send: (key: string) => Promise<Response>,
  { perSecond, patienceMs = 40_000 }: { perSecond: number; patienceMs?: number },
): SteadyWrites {
  const writes: SteadyWrite[] = [];
  const stopping = new AbortController();
  const underWay: Promise<void>[] = [];
  const attempt = async (write: SteadyWrite): Promise<void> => {
    const startedMs = performance.now();
    const response = await send(write.key).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    const atMs = performance.now();
    const status = text === undefined ? undefined : response?.status;
    const retryAfter = response?.headers.get('retry-after') ?? null;
    write.answers.push({ ...(status && { status }), retryAfter, atMs, tookMs: atMs - startedMs });
    write.isAccepted = status !== undefined && status < 300;
    write.isUnsettled = status === undefined || status >= 500 || (status === 409 && retryAfter !== null);
    if (write.isAccepted && response && text !== undefined)
      write.result = { text, headers: response.headers };
  };
  const sendUntilAccepted = async (write: SteadyWrite) => {
    const startedMs = performance.now();
    for (;;) {
      await attempt(write);
      if (!write.isUnsettled || performance.now() - startedMs > patienceMs) return;
      await delay(againMs);
    }
  };
  const sending = (async () => {
    while (!stopping.signal.aborted) {
      const write: SteadyWrite = {
        key: newId(),
        sentMs: performance.now(),
        answers: [],
        isAccepted: false,
        isUnsettled: true,
      };
      writes.push(write);
      underWay.push(sendUntilAccepted(write));
      await delay((1_000 / perSecond) * Math.min(5, slowness()), undefined, {
        signal: stopping.signal,
      }).catch(() => {});
    }
  })();
  return {
    writes,
    stop: async () => {
      stopping.abort();
      await sending;
      await Promise.all(underWay);
      return writes;
    },
  };
}

/** Returns all answers to writes, oldest first. */
export function answersTo(writes: readonly SteadyWrite[]): WriteAnswer[] {
  return writes.flatMap(({ answers }) => answers).toSorted((a, b) => a.atMs - b.atMs);
}
