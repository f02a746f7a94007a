import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/**
 * A specification whose latest version or visibility has changed since the spaces that show it were indexed;
 * deleted when all of them are requested (`followNextSpec` of the maintenance worker).
 */
export type SpecFollowUpRecord = {
  /** Id of the specification, which may be deleted. */
  _id: string;
  organization: string;
  slug: string;
  requestedAt: Date;
  /** Counts the requests: the record is removed only if no new request has come. */
  version: number;
};

const schema = new Schema<SpecFollowUpRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    slug: { type: String, required: true },
    requestedAt: { type: Date, required: true },
    version: { type: Number, required: true },
  },
  { collection: 'specFollowUps', versionKey: false },
);
schema.index({ requestedAt: 1 });

export const SpecFollowUp = mongoose.model('SpecFollowUp', schema);

/**
 * Requests that the spaces which show a specification follow it, in the transaction that publishes a version,
 * deletes the specification or changes who may see it. The maintenance worker does so afterwards, after a
 * crash too; nothing waits for it.
 */
export async function requestSpecFollowUp(
  { _id, organization, slug }: { _id: string; organization: string; slug: string },
  session: ClientSession,
): Promise<void> {
  await SpecFollowUp.updateOne(
    { _id },
    { $set: { organization, slug, requestedAt: new Date() }, $inc: { version: 1 } },
    { upsert: true, session },
  );
}
