import { setTimeout as delay } from 'node:timers/promises';
import { holdLeadership, publishSyncEvents, releaseLeadership } from '@bindery/jobs';
import { placeWebhookDeliveries } from '@bindery/models';
import { createOutbound } from '@bindery/outbound';
import { newId, type Config, type Logger } from '@bindery/runtime';
import { createDeliverer } from './createDeliverer.ts';
import { fanOutEvents } from './fanOutEvents.ts';

/** The interval of polling; an event reaches an endpoint within two seconds. */
const pollMs = 250;
const leaseMs = 10_000;
const standbyMs = 1_000;

/**
 * Sends the events of organizations to their webhooks. Any number of processes may call it; one of them
 * sends.
 *
 * @param delaysMs  overrides the delays of production, for tests
 * @returns a function that stops it; attempts under way are aborted and repeated by another process
 */
export function startWebhooks({
  config,
  logger,
  delaysMs,
}: {
  config: Config;
  logger: Logger;
  delaysMs?: readonly number[];
}): () => Promise<void> {
  const holder = newId();
  const stopping = new AbortController();
  const { signal } = stopping;
  const { allow, refused, caFile } = config.outbound;
  const outbound = createOutbound({ allow, refused, caFile });
  const parts = { outbound, secrets: config.secrets, logger, signal, delaysMs };

  let wake = new AbortController();
  const wait = async (ms: number) => {
    await delay(ms * (0.8 + 0.4 * Math.random()), undefined, {
      signal: AbortSignal.any([signal, wake.signal]),
    }).catch(() => {});
    wake = new AbortController();
  };
  const deliverer = createDeliverer(parts, () => wake.abort());

  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      return await work();
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, `${what} failed; it is tried again`);
      return undefined;
    }
  };
  const leads = holdLeadership('webhooks', holder, leaseMs);
  const run = async () => {
    while (!signal.aborted) {
      if (!(await attempt('a look for who sends webhooks', leads))) {
        await wait(standbyMs);
        continue;
      }
      const mayBeMore = [
        await attempt('a look for events of jobs', publishSyncEvents),
        await attempt('handing out events to webhooks', fanOutEvents),
        await attempt('putting webhooks into their lanes', placeWebhookDeliveries),
      ].includes(true);
      await attempt('a look for due webhooks', deliverer.startDue);
      if (!mayBeMore) await wait(pollMs);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
    await deliverer.settled();
    await outbound.close();
    await releaseLeadership('webhooks', holder);
  };
}
