import mongoose, { Schema } from 'mongoose';

/** A team; who is in it stands in the `teams` of its members. */
export type TeamRecord = {
  _id: string;
  organization: string;
  title: string;
  version: number;
  createdAt: Date;
};

const schema = new Schema<TeamRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    title: { type: String, required: true },
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'teams', versionKey: false },
);
schema.index({ organization: 1, createdAt: -1, _id: -1 });

export const Team = mongoose.model('Team', schema);
