import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/** A space whose main content has changed since it was indexed for search; gone when the index has followed. */
export type IndexTaskRecord = {
  /** Id of the space. */
  _id: string;
  organization: string;
  requestedAt: Date;
  /** Counts the requests: who has indexed removes the task only if none came meanwhile. */
  version: number;
  /** Until then a worker is at it. */
  leaseUntil?: Date;
};

const schema = new Schema<IndexTaskRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    requestedAt: { type: Date, required: true },
    version: { type: Number, required: true },
    leaseUntil: Date,
  },
  { collection: 'indexTasks', versionKey: false },
);
schema.index({ requestedAt: 1 });

export const IndexTask = mongoose.model('IndexTask', schema);

/** Has the search index follow a space, in the transaction that changes the space's main content. */
export async function requestIndexing({ _id, organization }: { _id: string; organization: string }, session: ClientSession): Promise<void> {
  await IndexTask.updateOne({ _id }, { $set: { organization, requestedAt: new Date() }, $inc: { version: 1 } }, { upsert: true, session });
}
