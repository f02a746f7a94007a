import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/**
 * A space whose main content has changed since it was indexed for search; deleted when the index is up to
 * date.
 */
export type IndexTaskRecord = {
  /** Id of the space. */
  _id: string;
  organization: string;
  requestedAt: Date;
  /** Counts the requests: the indexer removes the task only if no new request has come. */
  version: number;
  /** Slugs and ids of specifications whose pages are indexed again, though the content has not changed. */
  specs?: string[];
  /** A worker is indexing the space until then. */
  leaseUntil?: Date;
};

const schema = new Schema<IndexTaskRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    requestedAt: { type: Date, required: true },
    version: { type: Number, required: true },
    specs: { type: [String], default: undefined } as never,
    leaseUntil: Date,
  },
  { collection: 'indexTasks', versionKey: false },
);
schema.index({ requestedAt: 1 });

export const IndexTask = mongoose.model('IndexTask', schema);

/** Requests indexing of a space, in the transaction that changes its main content. */
export async function requestIndexing(
  { _id, organization }: { _id: string; organization: string },
  session: ClientSession,
): Promise<void> {
  await IndexTask.updateOne(
    { _id },
    { $set: { organization, requestedAt: new Date() }, $inc: { version: 1 } },
    { upsert: true, session },
  );
}
