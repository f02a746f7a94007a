import mongoose, { Schema } from 'mongoose';

/** The progress of the sweep that removes unreachable content; there is one record. Times are MongoDB's. */
export type StorageSweepRecord = {
  _id: 'storage';
  startedAt: Date;
  /** The last organization swept; empty at the beginning. */
  after: string;
  /** Absent during a sweep. */
  finishedAt?: Date;
  /** Leftovers of uploads started before this time are removed. */
  leftoversBefore: Date;
  /** The numbers of items removed by this sweep so far. */
  removed: { revisions: number; nodes: number; documents: number; blobs: number; uploads: number };
};

const schema = new Schema<StorageSweepRecord>(
  {
    _id: String as never,
    startedAt: { type: Date, required: true },
    after: String,
    finishedAt: Date,
    leftoversBefore: { type: Date, required: true },
    removed: {
      type: new Schema(
        { revisions: Number, nodes: Number, documents: Number, blobs: Number, uploads: Number },
        { _id: false },
      ) as never,
      required: true,
    },
  },
  { collection: 'storageSweeps', versionKey: false },
);

export const StorageSweep = mongoose.model('StorageSweep', schema);
