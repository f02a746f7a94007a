import mongoose, { Schema } from 'mongoose';

/** A kind of job that an operator has paused: no worker starts jobs of it while this record exists. */
export type KindPauseRecord = {
  /** The kind. */
  _id: string;
  /** The operator: the id of a user, or `cli:<user of the machine>`. */
  pausedBy: string;
  pausedAt: Date;
};

export const KindPause = mongoose.model(
  'KindPause',
  new Schema<KindPauseRecord>(
    { _id: String, pausedBy: { type: String, required: true }, pausedAt: { type: Date, required: true } },
    { collection: 'kindPauses', versionKey: false },
  ),
);
