import mongoose, { Schema } from 'mongoose';
import { mongoDatabase, type ClientSession } from '../database/connection.ts';

/**
 * The queue of pending deliveries to one endpoint about one space, or about none. They are sent one at a
 * time, the earliest due first.
 *
 * With lanes, the number of waiting deliveries does not affect the cost of finding the next one. A lane
 * exists while it has pending deliveries; a process that finds it empty removes it. Adding a delivery wakes
 * its lane in the same transaction.
 */
export type WebhookLaneRecord = {
  /** `webhookLaneId`. */
  _id: string;
  endpoint: string;
  /**
   * The next check of the lane: when its next delivery is due or, during an attempt, when the process that
   * makes the attempt counts as dead.
   */
  dueAt: Date;
  /** Identifies the process that makes an attempt. */
  claim?: string;
  /** Whether the lane was woken since its claim. */
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
// Not partial: MongoDB would scan a partial index entirely to find the endpoints.
schema.index({ endpoint: 1, dueAt: 1 });

export const WebhookLane = mongoose.model('WebhookLane', schema);

/**
 * The driver's collection, because Mongoose does not check update pipelines with MongoDB's clock against a
 * schema.
 */
export function webhookLaneCollection() {
  return mongoDatabase().collection<WebhookLaneRecord>('webhookLanes');
}

type LaneKey = { endpoint: string; space?: string | undefined };

/** The id of a lane. Deliveries to an endpoint that belong to no space share a lane, as tests do. */
export function webhookLaneId({ endpoint, space = '' }: LaneKey): string {
  return `${endpoint}:${space}`;
}

/**
 * Wakes lanes: each is checked when its next delivery is due, or after its present attempt.
 *
 * @param woken  sorted by due time; may name a lane several times
 */
export async function wakeWebhookLanes(
  woken: readonly (LaneKey & { dueAt: Date })[],
  session: ClientSession,
): Promise<void> {
  const earliest = new Map(woken.toReversed().map((one) => [webhookLaneId(one), one]));
  const writes = Array.from(earliest, ([_id, { endpoint, dueAt }]) => {
    const sooner = { $ifNull: [claimedUntil, { $min: ['$dueAt', dueAt] }] };
    const update = [{ $set: { endpoint: { $literal: endpoint }, dueAt: sooner, isWoken: true } }];
    return { updateOne: { filter: { _id }, update, upsert: true } };
  });
  if (writes.length > 0) await webhookLaneCollection().bulkWrite(writes, { ordered: false, session });
}

const claimedUntil = { $cond: [{ $eq: [{ $type: '$claim' }, 'missing'] }, null, '$dueAt'] };
