import { WebhookEndpoint } from '@bindery/models';
import { attemptNext, type Delivering } from './attemptDelivery.ts';
import { endpointsWithDue, findDueLanes } from './lanes.ts';

/** The most concurrent attempts of this process. */
const attemptsAtOnce = 64;
/**
 * The rest is reserved for endpoints that answer: each attempt to a failing one may take the full timeout.
 */
const attemptsAtOnceToFailing = 48;
/**
 * Concurrent attempts to one endpoint, each in another lane: a slow endpoint delays only itself, and a
 * failing one is not put under load.
 */
const perEndpoint = 4;
const perFailingEndpoint = 1;

type Running = { endpoint: string; isFailing: boolean; done: Promise<void> };

export type Deliverer = {
  /** Starts due attempts within the limits. */
  startDue(): Promise<void>;
  /** Waits for the attempts under way, which end immediately once the signal is aborted. */
  settled(): Promise<void>;
};

/**
 * Sends due deliveries in this process; the caller ensures that only one process does.
 *
 * First attempts of the events of one space are sent to an endpoint one at a time, in the order of the
 * events. A failed delivery that is retried later does not delay the others.
 * @param onRoom  called when an attempt has ended
 */
export function createDeliverer(delivering: Delivering, onRoom: () => void): Deliverer {
  /** By lane. */
  const running = new Map<string, Running>();
  const { logger, signal } = delivering;

  const start = (lane: string, of: Pick<Running, 'endpoint' | 'isFailing'>) => {
    const done = attemptNext(lane, delivering)
      .catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn(
            { err: error, lane },
            'an attempt to deliver a webhook could not be noted; it is repeated',
          );
      })
      .then(() => {
        running.delete(lane);
        onRoom();
      });
    running.set(lane, { ...of, done });
  };

  const roomFor = ({ endpoint, isFailing }: Pick<Running, 'endpoint' | 'isFailing'>) => {
    const all = [...running.values()];
    const room = [
      attemptsAtOnce - all.length,
      (isFailing ? perFailingEndpoint : perEndpoint) - all.filter((one) => one.endpoint === endpoint).length,
    ];
    if (isFailing) room.push(attemptsAtOnceToFailing - all.filter((one) => one.isFailing).length);
    return Math.min(...room);
  };

  const startDueOf = async (endpoint: string, isFailing: boolean) => {
    const room = roomFor({ endpoint, isFailing });
    if (room <= 0) return;
    // An attempt that has just started may not have claimed its lane yet.
    const started = [...running.values()].filter((one) => one.endpoint === endpoint).length;
    const due = (await findDueLanes(endpoint, room + started)).filter((lane) => !running.has(lane));
    for (const lane of due.slice(0, room)) start(lane, { endpoint, isFailing });
  };

  return {
    startDue: async () => {
      if (running.size >= attemptsAtOnce) return;
      const endpoints = await endpointsWithDue();
      if (endpoints.length === 0) return;
      const failing = new Set(
        await WebhookEndpoint.distinct('_id', { _id: { $in: endpoints }, failingSince: { $exists: true } }),
      );
      for (const endpoint of endpoints) {
        if (signal.aborted) return;
        await startDueOf(endpoint, failing.has(endpoint));
      }
    },
    settled: async () => {
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
