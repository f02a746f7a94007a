import type { OrganizationEventKind, SpaceEventKind } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/** The data of each kind of event of a space, besides the space and the time. */
type SpaceEventData = {
  space_content_updated: { revisionId: string; updatedBy: string };
  space_visibility_updated: { previousVisibility: string; visibility: string };
  space_gitsync_started: { revisionId: string };
  space_gitsync_completed: { revisionId: string; commitId?: string; state: 'success' | 'failure' };
};

/** The data of each kind of event that belongs to no space. */
type OrganizationEventData = {
  openapi_version_created: {
    specId: string;
    specSlug: string;
    versionId: string;
    title: string;
    documentVersion: string;
    previousVersionId?: string;
    changes?: { breaking: number; warning: number; info: number };
  };
};

type SpaceEvent = {
  [Kind in SpaceEventKind]: { type: Kind; data: SpaceEventData[Kind] };
}[SpaceEventKind];

type OrganizationEvent = {
  [Kind in OrganizationEventKind]: { type: Kind; data: OrganizationEventData[Kind] };
}[OrganizationEventKind];

/**
 * An event in an organization, for its webhooks, written in the transaction of the change that it reports.
 * The maintenance worker turns it into deliveries.
 */
export type OutboxEventRecord = (
  | (SpaceEvent & { space: string })
  | (OrganizationEvent & { space?: never })
) & {
  /**
   * The id of the event. An event that may be written twice has an id derived from its cause, so that it
   * exists once.
   */
  _id: string;
  organization: string;
  /** By MongoDB's clock, so that the events of a space are in order, whichever process wrote them. */
  createdAt: Date;
  /** null: owed to the endpoints. */
  fannedOutAt: Date | null;
  /** Absent on an owed event, which does not expire. */
  expireAt?: Date;
};

/** How long an event is kept after its deliveries were made. */
const retentionMs = 30 * 24 * 60 * 60 * 1000;

const schema = new Schema<OutboxEventRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    type: { type: String, required: true },
    space: String,
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

export type NewOutboxEvent = (
  | (SpaceEvent & { space: { _id: string; organization: string } })
  | (OrganizationEvent & { organization: string; space?: never })
) & {
  _id: string;
  /** The time of the event, if already known. */
  at?: Date;
};

/** Writes events, in the transaction of the changes that they report. An existing event stays unchanged. */
export async function writeOutboxEvents(
  events: readonly NewOutboxEvent[],
  session?: ClientSession,
): Promise<void> {
  if (events.length === 0) return;
  await OutboxEvent.collection.bulkWrite(
    events.map((event) => {
      const { _id, type, data, at } = event;
      const place = event.space
        ? { organization: event.space.organization, space: event.space._id }
        : { organization: event.organization };
      const record = { _id, ...place, type, data, fannedOutAt: null };
      const fresh = { $mergeObjects: [{ $literal: record }, { createdAt: at ?? '$$NOW' }] };
      const update = [
        { $replaceWith: { $cond: [{ $eq: [{ $type: '$type' }, 'missing'] }, fresh, '$$ROOT'] } },
      ];
      return { updateOne: { filter: { _id: _id as never }, update, upsert: true } };
    }),
    { session },
  );
}

/** Marks these events as turned into deliveries. */
export async function settleOutboxEvents(ids: readonly string[]): Promise<void> {
  const fannedOutAt = new Date();
  const expireAt = new Date(fannedOutAt.getTime() + retentionMs);
  await OutboxEvent.updateMany({ _id: { $in: [...ids] } }, { $set: { fannedOutAt, expireAt } });
}
