import mongoose, { Schema } from 'mongoose';
import type { ClientSession } from '../database/connection.ts';

/** A team; its members are found by `teams` in the member records. */
export type TeamRecord = {
  _id: string;
  organization: string;
  title: string;
  /** Counts the changes of references to the team: `holdTeam`. */
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
 * Keeps a team from being deleted until this transaction ends. Call it, with `lockTree`, in each transaction
 * that adds a reference to the team; a concurrent deletion would not see the new reference.
 *
 * @returns false when the organization has no such team
 */
export async function holdTeam(
  { _id, organization }: Pick<TeamRecord, '_id' | 'organization'>,
  session: ClientSession,
): Promise<boolean> {
  const { matchedCount } = await Team.updateOne({ _id, organization }, { $inc: { links: 1 } }, { session });
  return matchedCount === 1;
}
