import { webhookDeliveryCollection, WebhookEndpoint, type WebhookDeliveryRecord } from '@bindery/models';
import { attemptDelivery, isDue, type Delivering } from './attemptDelivery.ts';

/** Attempts of this process at once. */
const attemptsAtOnce = 64;
/** A part of them is kept for endpoints that answer: those that fail may each take as long as an attempt can. */
const attemptsAtOnceToFailing = 48;
/** To one endpoint: a slow one holds up itself, and one that fails is not pressed. */
const perEndpoint = 4;
const perFailingEndpoint = 1;
/** So many due deliveries are looked at to find some of different spaces. */
const lookedAt = 50;

type Running = { endpoint: string; space: string | undefined; isFailing: boolean; done: Promise<void> };

export type Deliverer = {
  /** Begins the attempts that are due and for which there is room. */
  startDue(): Promise<void>;
  /** Waits for the attempts under way, which end at once when the signal has aborted. */
  settled(): Promise<void>;
};

/**
 * Sends what is due, in this process alone: which one does is for the caller to see to.
 *
 * First attempts of the events of one space go to an endpoint one after the other, in the order of the events. A failed one that comes again later holds
 * up none of the others.
 * @param onRoom  called when an attempt has ended
 */
export function createDeliverer(delivering: Delivering, onRoom: () => void): Deliverer {
  const running = new Map<string, Running>();
  const { logger, signal } = delivering;

  const start = ({ _id, endpoint, space }: WebhookDeliveryRecord, isFailing: boolean) => {
    const done = attemptDelivery(_id, delivering)
      .catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn({ err: error, delivery: _id }, 'an attempt to deliver a webhook could not be noted; it is repeated');
      })
      .then(() => {
        running.delete(_id);
        onRoom();
      });
    running.set(_id, { endpoint, space, isFailing, done });
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
    let room = roomFor({ endpoint, isFailing });
    if (room <= 0) return;
    const here = [...running].filter(([, one]) => one.endpoint === endpoint);
    const taken = new Set(here.map(([, { space }]) => space));
    const due = await findDue(endpoint, { not: here.map(([id]) => id), spaces: [...taken].filter((space) => space !== undefined) });
    for (const delivery of due) {
      if (room === 0) return;
      if (delivery.space !== undefined && taken.has(delivery.space)) continue;
      taken.add(delivery.space);
      start(delivery, isFailing);
      room -= 1;
    }
  };

  return {
    startDue: async () => {
      if (running.size >= attemptsAtOnce) return;
      const endpoints = await endpointsWithDue();
      if (endpoints.length === 0) return;
      const failing = new Set(await WebhookEndpoint.distinct('_id', { _id: { $in: endpoints }, failingSince: { $exists: true } }));
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

/** Endpoints for which something waits whose time has come, longest first. The index is skipped through, an endpoint at a step. */
async function endpointsWithDue(): Promise<string[]> {
  const found = await webhookDeliveryCollection()
    .aggregate<{ _id: string }>(
      [
        { $match: { state: 'pending' } },
        { $sort: { endpoint: 1, nextAttemptAt: 1 } },
        { $group: { _id: '$endpoint', next: { $first: '$nextAttemptAt' } } },
        { $match: { $expr: { $lte: ['$next', '$$NOW'] } } },
        { $sort: { next: 1 } },
      ],
      { hint: { state: 1, endpoint: 1, nextAttemptAt: 1 } },
    )
    .toArray();
  return found.map(({ _id }) => _id);
}

async function findDue(endpoint: string, { not, spaces }: { not: string[]; spaces: string[] }): Promise<WebhookDeliveryRecord[]> {
  return webhookDeliveryCollection()
    .find({ endpoint, state: 'pending', _id: { $nin: not }, space: { $nin: spaces }, ...isDue }, { projection: { endpoint: 1, space: 1 } })
    .sort({ nextAttemptAt: 1 })
    .limit(lookedAt)
    .toArray();
}
