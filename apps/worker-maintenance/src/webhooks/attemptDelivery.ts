import {
  failPendingWebhookDeliveries,
  keptWebhookAttempts,
  webhookDeliveryCollection,
  WebhookEndpoint,
  type WebhookAttemptRecord,
  type WebhookDeliveryRecord,
  type WebhookEndpointRecord,
} from '@bindery/models';
import type { Outbound } from '@bindery/outbound';
import { faultPoint, type Logger, type SecretKeys } from '@bindery/runtime';
import { disableGone, noteFailure, noteSuccess } from './endpointHealth.ts';
import { claimLane, claimNextDelivery, releaseLane } from './lanes.ts';
import { retryDelayMs } from './retrySchedule.ts';
import { sendDelivery, type Sent } from './sendDelivery.ts';

export type Delivering = {
  outbound: Outbound;
  secrets: SecretKeys;
  logger: Logger;
  signal: AbortSignal;
  /** Overrides the delays of production, for tests. */
  delaysMs?: readonly number[];
};

/**
 * Makes the attempt that is due in a lane, if any, and writes its outcome. A late write of a paused process
 * has no effect.
 *
 * @throws MongoDB's errors; the attempt is then repeated when the claim of the lane has ended
 */
export async function attemptNext(laneId: string, delivering: Delivering): Promise<void> {
  const lane = await claimLane(laneId);
  if (!lane) return;
  const delivery = await claimNextDelivery(laneId);
  if (delivery) await attemptDelivery(delivery, delivering);
  await releaseLane(lane);
}

async function attemptDelivery(
  delivery: WebhookDeliveryRecord,
  { delaysMs, ...parts }: Delivering,
): Promise<void> {
  await faultPoint('webhook.claimed');
  const endpoint = await WebhookEndpoint.findById(delivery.endpoint).lean<WebhookEndpointRecord>();
  if (!endpoint) return removeDeliveries(delivery.endpoint);
  if (!endpoint.isEnabled) return failPendingWebhookDeliveries(endpoint._id);
  let sent: Sent;
  try {
    sent = await sendDelivery(delivery, endpoint, parts);
  } catch {
    // This process stops: the arrival is unknown, so another process sends the delivery again.
    return release(delivery);
  }
  await faultPoint('webhook.sent');
  const { askedMs, ...attempt } = sent;
  const isDelivered = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
  if (isDelivered) {
    await settle(delivery, attempt, { state: 'succeeded', finishedAt: '$$NOW' });
    return noteSuccess(endpoint);
  }
  const isGone = attempt.status === 410;
  // A ping is sent by a user who waits for the result, so it is not retried.
  const delayMs = isGone || delivery.isTest ? undefined : retryDelayMs(delivery.tries, { askedMs, delaysMs });
  const failedBecause = isGone ? 'webhook_gone' : 'attempts_used_up';
  const fate =
    delayMs === undefined
      ? { state: 'failed', failedBecause, finishedAt: '$$NOW' }
      : { nextAttemptAt: { $add: ['$$NOW', delayMs] } };
  await settle(delivery, attempt, fate);
  const { status, error } = attempt;
  parts.logger.info(
    { delivery: delivery._id, webhook: endpoint._id, tries: delivery.tries, status, error, delayMs },
    'a webhook was not delivered',
  );
  // Before the lane is released, because the next attempt depends on it.
  if (isGone) await disableGone(endpoint);
  else await noteFailure(endpoint);
}

/** Removes the deliveries of a deleted endpoint, made while it was being deleted. */
async function removeDeliveries(endpoint: string): Promise<void> {
  await webhookDeliveryCollection().deleteMany({ endpoint });
}

type Claimed = Pick<WebhookDeliveryRecord, '_id' | 'round' | 'tries'>;

const held = ({ _id, round, tries }: Claimed) => ({ _id, round, tries, state: 'pending' as const });

/** Writes the attempt and its consequences, only while this attempt still is the last one. */
async function settle(delivery: Claimed, attempt: WebhookAttemptRecord, fate: object): Promise<void> {
  const attempts = {
    $slice: [{ $concatArrays: ['$attempts', [{ $literal: attempt }]] }, -keptWebhookAttempts],
  };
  await webhookDeliveryCollection().updateOne(held(delivery), [{ $set: { attempts, ...fate } }]);
  await faultPoint('webhook.settled');
}

async function release(delivery: Claimed): Promise<void> {
  await webhookDeliveryCollection().updateOne(held(delivery), { $inc: { tries: -1 } });
}
