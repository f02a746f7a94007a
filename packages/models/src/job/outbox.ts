import type { SpaceEventKind } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/** What each kind of event tells besides the space and the time. */
export type SpaceEventData = {
  space_content_updated: { revisionId: string; updatedBy: string };
  space_visibility_updated: { previousVisibility: string; visibility: string };
  space_gitsync_started: { revisionId: string };
  space_gitsync_completed: { revisionId: string; commitId?: string; state: 'success' | 'failure' };
};

export type SpaceEvent = { [Kind in SpaceEventKind]: { type: Kind; data: SpaceEventData[Kind] } }[SpaceEventKind];

/**
 * Something that happened in a space and that the webhooks of its organization are to hear of. It is written with what happened: both are there, or
 * neither is. The maintenance worker makes deliveries of it.
 */
export type OutboxEventRecord = SpaceEvent & {
  /** The id of the event. Of events that may be written twice it follows from what happened, so that there is one. */
  _id: string;
  organization: string;
  space: string;
  /** By MongoDB's clock, so that the events of a space are in their order whichever process wrote them. */
  createdAt: Date;
  /** null: owed to the endpoints. */
  fannedOutAt: Date | null;
  /** What is owed does not expire. */
  expireAt?: Date;
};

/** For so long an event is kept after it was handed out. */
const retentionMs = 30 * 24 * 60 * 60 * 1000;

const schema = new Schema<OutboxEventRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    type: { type: String, required: true },
    space: { type: String, required: true },
    data: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
    fannedOutAt: { type: Date, default: null },
    expireAt: Date,
  } as never,
  { collection: 'outboxEvents', versionKey: false },
);
schema.index({ fannedOutAt: 1, createdAt: 1 });
schema.index({ space: 1 });
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export const OutboxEvent = mongoose.model('OutboxEvent', schema);

export type NewOutboxEvent = SpaceEvent & {
  _id: string;
  space: { _id: string; organization: string };
  /** When it happened, where that is known already. */
  at?: Date;
};

/** Writes events, in the transaction of what they tell of. One that is there already stays as it is. */
export async function writeOutboxEvents(events: readonly NewOutboxEvent[], session?: ClientSession): Promise<void> {
  if (events.length === 0) return;
  await OutboxEvent.collection.bulkWrite(
    events.map(({ _id, type, data, space, at }) => {
      const record = { _id, organization: space.organization, type, space: space._id, data, fannedOutAt: null };
      const fresh = { $mergeObjects: [{ $literal: record }, { createdAt: at ?? '$$NOW' }] };
      const update = [{ $replaceWith: { $cond: [{ $eq: [{ $type: '$type' }, 'missing'] }, fresh, '$$ROOT'] } }];
      return { updateOne: { filter: { _id: _id as never }, update, upsert: true } };
    }),
    { ...(session && { session }) },
  );
}

/** Notes that deliveries have been made of these events. */
export async function settleOutboxEvents(ids: readonly string[]): Promise<void> {
  const fannedOutAt = new Date();
  const expireAt = new Date(fannedOutAt.getTime() + retentionMs);
  await OutboxEvent.updateMany({ _id: { $in: [...ids] } }, { $set: { fannedOutAt, expireAt } });
}
