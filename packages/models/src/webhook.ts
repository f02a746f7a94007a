import type {
  JobErrorCode,
  SpaceEventKind,
  WebhookDeliveryFailure,
  WebhookDeliveryState,
  WebhookDisabledReason,
  WebhookEventKind,
} from '@bindery/contract';
import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { mongoDatabase, type ClientSession } from './connection.ts';
import { sealedSecretSchema } from './sealedSecret.ts';

/** An address of an organization that events are sent to, signed as Standard Webhooks says. */
export type WebhookEndpointRecord = {
  _id: string;
  organization: string;
  url: string;
  description?: string;
  /** What is sent; empty is everything. A `ping` is sent whatever stands here. */
  events: SpaceEventKind[];
  /** Ids of the spaces of which it is sent; empty is all. A space may be gone by now: its id stays, or the last one to go would open it for all. */
  spaces: string[];
  /** `whsec_` and the base64 of 32 random bytes, sealed for `webhookSealContext(_id)`. */
  secret: SealedSecret;
  /** The one before, sealed alike: requests carry a signature with it too until it expires. */
  previousSecret?: { sealed: SealedSecret; expiresAt: Date };
  isEnabled: boolean;
  /** Why the deliverer has switched it off; absent where an admin has. */
  disabledReason?: WebhookDisabledReason;
  /** Time of the first of the failures after the last success. Taken away by a success, and when an admin enables it again. */
  failingSince?: Date;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  /** Counts the changes that callers made, for `If-Match`. What the deliverer writes does not count. */
  version: number;
};

/** One try to send it. */
export type WebhookAttemptRecord = {
  at: Date;
  durationMs: number;
  /** Of the answer, if there was one. */
  status?: number;
  /** Why there was none, by its code only: the words of a server stand nowhere. */
  error?: JobErrorCode;
};

/**
 * One event on its way to one endpoint.
 *
 * `pending` until an attempt succeeds, the attempts are used up (a test has one), or the endpoint is disabled or gone. The deliverer claims by
 * `state` and `nextAttemptAt`, keeps others off with `leaseUntil`, and writes an outcome only while the state is pending and `round` is what it
 * claimed. What it writes to the endpoint is conditional on its `url` being the one that was sent to.
 */
export type WebhookDeliveryRecord = {
  _id: string;
  organization: string;
  /** Id of the endpoint. */
  endpoint: string;
  /** Id of the outbox event, or of the ping: the `webhook-id` header and `eventId` of the payload, the same at every attempt. */
  event: string;
  kind: WebhookEventKind;
  space?: string;
  isTest: boolean;
  /** The JSON text that is signed and sent: a WebhookPayload of packages/contract. */
  payload: string;
  state: WebhookDeliveryState;
  /** Why it has failed. */
  failedBecause?: WebhookDeliveryFailure;
  /** Counts how often it was started: 1, and one more with each `redeliver`. */
  round: number;
  /** Attempts of this round: what the schedule of retries goes by. */
  tries: number;
  /** The last 20, oldest first, of all rounds. */
  attempts: WebhookAttemptRecord[];
  nextAttemptAt: Date;
  leaseUntil?: Date;
  createdAt: Date;
  finishedAt?: Date;
  expireAt: Date;
};

/** So many attempts a delivery remembers. */
export const keptWebhookAttempts = 20;
/** For so long after it was started a delivery is kept. */
const retentionMs = 30 * 24 * 60 * 60 * 1000;

/** What the secrets of an endpoint are sealed for. */
export function webhookSealContext(endpointId: string): string {
  return `webhook:${endpointId}`;
}

const endpointSchema = new Schema<WebhookEndpointRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    url: { type: String, required: true },
    description: String,
    events: { type: [String], default: [] } as never,
    spaces: { type: [String], default: [] },
    secret: { type: sealedSecretSchema, required: true } as never,
    previousSecret: new Schema({ sealed: sealedSecretSchema, expiresAt: Date }, { _id: false }) as never,
    isEnabled: { type: Boolean, default: true },
    disabledReason: String,
    failingSince: Date,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    version: { type: Number, default: 1 },
  },
  { collection: 'webhookEndpoints', versionKey: false },
);
endpointSchema.index({ organization: 1, createdAt: -1, _id: -1 });

export const WebhookEndpoint = mongoose.model('WebhookEndpoint', endpointSchema);

const deliverySchema = new Schema<WebhookDeliveryRecord>(
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
      type: [new Schema<WebhookAttemptRecord>({ at: Date, durationMs: Number, status: Number, error: String }, { _id: false })],
      default: [],
    } as never,
    nextAttemptAt: { type: Date, required: true },
    leaseUntil: Date,
    createdAt: { type: Date, required: true },
    finishedAt: Date,
    expireAt: { type: Date, required: true },
  },
  { collection: 'webhookDeliveries', versionKey: false },
);
// An event goes to an endpoint once, however often it is handed out.
deliverySchema.index({ endpoint: 1, event: 1 }, { unique: true });
deliverySchema.index({ endpoint: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ endpoint: 1, state: 1, createdAt: -1, _id: -1 });
// Not a partial one: MongoDB would read all of it to find the endpoints that stand in it.
deliverySchema.index({ state: 1, endpoint: 1, nextAttemptAt: 1 });
deliverySchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const WebhookDelivery = mongoose.model('WebhookDelivery', deliverySchema);

/** The driver's collection: it is written with pipelines and MongoDB's own clock, which no schema has a say in. */
export function webhookDeliveryCollection() {
  return mongoDatabase().collection<WebhookDeliveryRecord>('webhookDeliveries');
}

export type NewWebhookDelivery = Pick<
  WebhookDeliveryRecord,
  '_id' | 'organization' | 'endpoint' | 'event' | 'kind' | 'space' | 'isTest' | 'payload'
>;

/** Puts an event on its way to an endpoint, due at once; nothing happens when it is there already. */
export async function insertWebhookDelivery(delivery: NewWebhookDelivery, session: ClientSession): Promise<WebhookDeliveryRecord> {
  const { filter, update, upsert } = insertionOf(delivery);
  const record = await webhookDeliveryCollection().findOneAndUpdate(filter, update, { upsert, returnDocument: 'after', session });
  if (!record) throw new Error('An upsert gave no record.');
  return record;
}

/**
 * The same for many.
 *
 * @param dueAt  when its event happened: they are due in the order of their events
 */
export async function insertWebhookDeliveries(deliveries: readonly (NewWebhookDelivery & { dueAt: Date })[]): Promise<void> {
  if (deliveries.length === 0) return;
  const writes = deliveries.map(({ dueAt, ...delivery }) => ({ updateOne: insertionOf(delivery, dueAt) }));
  await webhookDeliveryCollection().bulkWrite(writes, { ordered: false });
}

function insertionOf(delivery: NewWebhookDelivery, dueAt: Date | '$$NOW' = '$$NOW') {
  const { endpoint, event } = delivery;
  const times = { nextAttemptAt: dueAt, createdAt: '$$NOW', expireAt: inRetention };
  const fresh = { $mergeObjects: [{ $literal: { ...delivery, state: 'pending', round: 1, tries: 0, attempts: [] } }, times] };
  const update = [{ $replaceWith: { $cond: [{ $eq: [{ $type: '$state' }, 'missing'] }, fresh, '$$ROOT'] } }];
  return { filter: { endpoint, event }, update, upsert: true };
}

/**
 * Puts a delivery on its way once more, due at once. One that has ended starts a new round, with all its attempts; one that is pending waits no longer.
 *
 * @returns undefined when it is gone
 */
export async function restartWebhookDelivery(
  { _id, state }: Pick<WebhookDeliveryRecord, '_id' | 'state'>,
  session: ClientSession,
): Promise<WebhookDeliveryRecord | undefined> {
  const due = { nextAttemptAt: '$$NOW', expireAt: inRetention };
  const round = { state: 'pending', round: { $add: ['$round', 1] }, tries: 0 };
  const update =
    state === 'pending' ? [{ $set: due }] : [{ $set: { ...due, ...round } }, { $unset: ['finishedAt', 'failedBecause', 'leaseUntil'] }];
  const record = await webhookDeliveryCollection().findOneAndUpdate({ _id, state }, update, { returnDocument: 'after', session });
  return record ?? undefined;
}

/** Ends what waits for an endpoint that is disabled. */
export async function failPendingWebhookDeliveries(endpoint: string): Promise<void> {
  await webhookDeliveryCollection().updateMany({ endpoint, state: 'pending' }, [
    { $set: { state: 'failed', failedBecause: 'webhook_disabled', finishedAt: '$$NOW' } },
    { $unset: ['leaseUntil'] },
  ]);
}

const inRetention = { $add: ['$$NOW', retentionMs] };
