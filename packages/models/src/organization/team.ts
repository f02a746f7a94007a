import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/** A team; who is in it stands in the `teams` of its members. */
export type TeamRecord = {
  _id: string;
  organization: string;
  title: string;
  /** Counts the changes to what refers to it: `holdTeam`. */
  links?: number;
  version: number;
  createdAt: Date;
};

const schema = new Schema<TeamRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    title: { type: String, required: true },
    links: Number,
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'teams', versionKey: false },
);
schema.index({ organization: 1, createdAt: -1, _id: -1 });

export const Team = mongoose.model('Team', schema);

/**
 * Makes sure that a team stays until this transaction has ended: in every transaction that makes something refer to it, beside `lockTree`. Without
 * it, one that deletes the team at the same moment would not see the new reference.
 *
 * @returns false when the organization has no such team
 */
export async function holdTeam({ _id, organization }: Pick<TeamRecord, '_id' | 'organization'>, session: ClientSession): Promise<boolean> {
  const { matchedCount } = await Team.updateOne({ _id, organization }, { $inc: { links: 1 } }, { session });
  return matchedCount === 1;
}
