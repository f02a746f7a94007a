import type {
  JobErrorCode,
  WebhookDeliveryFailure,
  WebhookDeliveryState,
  WebhookEventKind,
} from '@bindery/contract';
import { faultPoint } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { mongoDatabase, withTransaction, type ClientSession } from '../database/connection.ts';
import { wakeWebhookLanes, webhookLaneId } from './webhookLane.ts';

/** One attempt to send a delivery. */
export type WebhookAttemptRecord = {
  at: Date;
  durationMs: number;
  /** The HTTP status, if the server answered. */
  status?: number;
  /** The error code, if it did not. Texts of a server are not stored. */
  error?: JobErrorCode;
};

/**
 * The delivery of one event to one endpoint.
 *
 * `pending` until an attempt succeeds, the attempts are used up (a test has one), or the endpoint is disabled
 * or deleted. The deliverer claims its lane (webhookLane.ts), and writes an outcome only if the delivery is
 * still pending with the `round` and `tries` of the attempt. It writes to the endpoint only if the endpoint
 * still has the `url` that the webhook was sent to.
 */
export type WebhookDeliveryRecord = {
  _id: string;
  organization: string;
  /** Id of the endpoint. */
  endpoint: string;
  /**
   * Id of the outbox event or the ping: the `webhook-id` header and the payload's `eventId`, the same in all
   * attempts.
   */
  event: string;
  kind: WebhookEventKind;
  space?: string;
  isTest: boolean;
  /** The JSON text that is signed and sent: a WebhookPayload of packages/contract. */
  payload: string;
  state: WebhookDeliveryState;
  /** Why the delivery has failed. */
  failedBecause?: WebhookDeliveryFailure;
  /** The number of starts: 1, plus one for each `redeliver`. */
  round: number;
  /** Attempts in this round; they determine the delay before the next one. */
  tries: number;
  /** The last 20 attempts of all rounds, oldest first. */
  attempts: WebhookAttemptRecord[];
  nextAttemptAt: Date;
  /**
   * The lane of a pending delivery. Absent before it is placed, and on deliveries of an earlier version of
   * the platform.
   */
  lane?: string;
  createdAt: Date;
  finishedAt?: Date;
  expireAt: Date;
};

/** The number of attempts kept per delivery. */
export const keptWebhookAttempts = 20;
/** How long a delivery is kept after its start. */
const retentionMs = 30 * 24 * 60 * 60 * 1000;

const schema = new Schema<WebhookDeliveryRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    endpoint: { type: String, required: true },
    event: { type: String, required: true },
    kind: { type: String, required: true },
    space: String,
    isTest: { type: Boolean, default: false },
    payload: { type: String, required: true },
    state: { type: String, required: true },
    failedBecause: String,
    round: { type: Number, default: 1 },
    tries: { type: Number, default: 0 },
    attempts: {
      type: [
        new Schema<WebhookAttemptRecord>(
          { at: Date, durationMs: Number, status: Number, error: String },
          { _id: false },
        ),
      ],
      default: [],
    } as never,
    nextAttemptAt: { type: Date, required: true },
    lane: String,
    createdAt: { type: Date, required: true },
    finishedAt: Date,
    expireAt: { type: Date, required: true },
  },
  { collection: 'webhookDeliveries', versionKey: false },
);
// An event is delivered to an endpoint once, even if its deliveries are made repeatedly.
schema.index({ endpoint: 1, event: 1 }, { unique: true });
schema.index({ endpoint: 1, createdAt: -1, _id: -1 });
schema.index({ endpoint: 1, state: 1, createdAt: -1, _id: -1 });
schema.index({ lane: 1, state: 1, nextAttemptAt: 1 });
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const WebhookDelivery = mongoose.model('WebhookDelivery', schema);

/**
 * The driver's collection, because Mongoose does not check update pipelines with MongoDB's clock against a
 * schema.
 */
export function webhookDeliveryCollection() {
  return mongoDatabase().collection<WebhookDeliveryRecord>('webhookDeliveries');
}

export type NewWebhookDelivery = Pick<
  WebhookDeliveryRecord,
  '_id' | 'organization' | 'endpoint' | 'event' | 'kind' | 'space' | 'isTest' | 'payload'
>;

/** Inserts the delivery of an event to an endpoint, due immediately; does nothing if it exists already. */
export async function insertWebhookDelivery(
  delivery: NewWebhookDelivery,
  session: ClientSession,
): Promise<WebhookDeliveryRecord> {
  const { filter, update, upsert } = insertionOf({ ...delivery, lane: webhookLaneId(delivery) });
  const record = await webhookDeliveryCollection().findOneAndUpdate(filter, update, {
    upsert,
    returnDocument: 'after',
    session,
  });
  if (!record) throw new Error('An upsert gave no record.');
  await wakeWebhookLanes([{ ...delivery, dueAt: record.nextAttemptAt }], session);
  return record;
}

/**
 * Inserts many deliveries without lanes; `placeWebhookDeliveries` places them.
 *
 * @param dueAt  the time of the event, so that deliveries are due in the order of their events
 */
export async function insertWebhookDeliveries(
  deliveries: readonly (NewWebhookDelivery & { dueAt: Date })[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const writes = deliveries.map(({ dueAt, ...delivery }) => ({ updateOne: insertionOf(delivery, dueAt) }));
  await webhookDeliveryCollection().bulkWrite(writes, { ordered: false });
}

function insertionOf(delivery: NewWebhookDelivery & { lane?: string }, dueAt: Date | '$$NOW' = '$$NOW') {
  const { endpoint, event } = delivery;
  const fields = { ...delivery, state: 'pending', round: 1, tries: 0, attempts: [] };
  const times = { nextAttemptAt: dueAt, createdAt: '$$NOW', expireAt: inRetention };
  const fresh = { $mergeObjects: [{ $literal: fields }, times] };
  const update = [{ $replaceWith: { $cond: [{ $eq: [{ $type: '$state' }, 'missing'] }, fresh, '$$ROOT'] } }];
  return { filter: { endpoint, event }, update, upsert: true };
}

/**
 * Makes a delivery due immediately. An ended one starts a new round with all its attempts; a pending one
 * stops waiting.
 *
 * @returns undefined when the delivery does not exist any more
 */
export async function restartWebhookDelivery(
  { _id, state, ...place }: Pick<WebhookDeliveryRecord, '_id' | 'state' | 'endpoint' | 'space'>,
  session: ClientSession,
): Promise<WebhookDeliveryRecord | undefined> {
  const due = { nextAttemptAt: '$$NOW', expireAt: inRetention, lane: { $literal: webhookLaneId(place) } };
  const round = { state: 'pending', round: { $add: ['$round', 1] }, tries: 0 };
  const update =
    state === 'pending'
      ? [{ $set: due }]
      : [{ $set: { ...due, ...round } }, { $unset: ['finishedAt', 'failedBecause'] }];
  const record = await webhookDeliveryCollection().findOneAndUpdate({ _id, state }, update, {
    returnDocument: 'after',
    session,
  });
  if (!record) return undefined;
  await wakeWebhookLanes([{ ...place, dueAt: record.nextAttemptAt }], session);
  return record;
}

/**
 * Fails the pending deliveries to a disabled endpoint. The next check of its lanes finds them empty, and
 * removes them.
 */
export async function failPendingWebhookDeliveries(endpoint: string): Promise<void> {
  await webhookDeliveryCollection().updateMany({ endpoint, state: 'pending' }, [
    { $set: { state: 'failed', failedBecause: 'webhook_disabled', finishedAt: '$$NOW' } },
  ]);
}

const placedAtOnce = 500;

/**
 * Places pending deliveries without a lane: new ones, and those of an earlier version of the platform. Safe
 * to run at any time and in several processes at once.
 *
 * @returns whether there may be more
 */
export async function placeWebhookDeliveries(): Promise<boolean> {
  const found = await webhookDeliveryCollection()
    .find(
      { lane: { $exists: false }, state: 'pending' },
      { projection: { endpoint: 1, space: 1, nextAttemptAt: 1 } },
    )
    .sort({ nextAttemptAt: 1 })
    .limit(placedAtOnce)
    .toArray();
  if (found.length === 0) return false;
  const woken = found.map(({ nextAttemptAt, ...place }) => ({ ...place, dueAt: nextAttemptAt }));
  const writes = found.map(({ _id, ...place }) => ({
    updateOne: { filter: { _id }, update: { $set: { lane: webhookLaneId(place) } } },
  }));
  await faultPoint('webhook.placing');
  await withTransaction(async (session) => {
    // Lanes first: other processes write them often, and a conflict restarts the transaction.
    await wakeWebhookLanes(woken, session);
    await webhookDeliveryCollection().bulkWrite(writes, { ordered: false, session });
  });
  return found.length === placedAtOnce;
}

const inRetention = { $add: ['$$NOW', retentionMs] };
