import mongoose, { Schema } from 'mongoose';
import { mongoDatabase, type ClientSession } from '../database/connection.ts';

/**
 * The queue of pending deliveries of one space to one endpoint. They are sent one after the other, the one that is due first.
 *
 * With lanes, finding the next delivery costs the same however many wait. A lane exists while it has pending deliveries; a process that finds it empty
 * removes it. Adding a delivery wakes its lane in the same transaction.
 */
export type WebhookLaneRecord = {
  /** `webhookLaneId`. */
  _id: string;
  endpoint: string;
  /** When the lane is looked at next: when its next delivery is due, or during an attempt, when the process of that counts as dead. */
  dueAt: Date;
  /** Names who makes an attempt. */
  claim?: string;
  /** Whether the lane was woken since it was claimed. */
  isWoken: boolean;
};

const schema = new Schema<WebhookLaneRecord>(
  {
    _id: String,
    endpoint: { type: String, required: true },
    dueAt: { type: Date, required: true },
    claim: String,
    isWoken: { type: Boolean, required: true },
  },
  { collection: 'webhookLanes', versionKey: false },
);
// Not a partial index: MongoDB would read all of it to find its endpoints.
schema.index({ endpoint: 1, dueAt: 1 });

export const WebhookLane = mongoose.model('WebhookLane', schema);

/** The driver's collection, because it is written with update pipelines and MongoDB's clock, which Mongoose does not check against a schema. */
export function webhookLaneCollection() {
  return mongoDatabase().collection<WebhookLaneRecord>('webhookLanes');
}

type LaneKey = { endpoint: string; space?: string | undefined };

/** The id of a lane. Tests belong to no space: those of an endpoint share a lane. */
export function webhookLaneId({ endpoint, space = '' }: LaneKey): string {
  return `${endpoint}:${space}`;
}

/**
 * Wakes lanes: each is looked at as soon as a delivery in it is due, or after the present attempt in it.
 *
 * @param woken  in the order in which they are due; may name a lane several times
 */
export async function wakeWebhookLanes(woken: readonly (LaneKey & { dueAt: Date })[], session: ClientSession): Promise<void> {
  const earliest = new Map(woken.toReversed().map((one) => [webhookLaneId(one), one]));
  const writes = Array.from(earliest, ([_id, { endpoint, dueAt }]) => {
    const sooner = { $ifNull: [claimedUntil, { $min: ['$dueAt', dueAt] }] };
    const update = [{ $set: { endpoint: { $literal: endpoint }, dueAt: sooner, isWoken: true } }];
    return { updateOne: { filter: { _id }, update, upsert: true } };
  });
  if (writes.length > 0) await webhookLaneCollection().bulkWrite(writes, { ordered: false, session });
}

const claimedUntil = { $cond: [{ $eq: [{ $type: '$claim' }, 'missing'] }, null, '$dueAt'] };
