import mongoose, { Schema } from 'mongoose';

/** A reviewer's verdict on a change request. */
export type ReviewRecord = {
  _id: string;
  space: string;
  changeRequest: string;
  revision: string;
  reviewer: string;
  requestedBy?: string;
  status: 'approved' | 'changes-requested';
  /** The same reviewer was asked again or has reviewed again since. */
  isOutdated: boolean;
  /** Id of the comment given with the review. */
  comment?: string;
  createdAt: Date;
  updatedAt: Date;
};

const schema = new Schema<ReviewRecord>(
  {
    _id: String,
    space: { type: String, required: true },
    changeRequest: { type: String, required: true },
    revision: { type: String, required: true },
    reviewer: { type: String, required: true },
    requestedBy: String,
    status: { type: String, required: true },
    isOutdated: { type: Boolean, default: false },
    comment: String,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'changeRequestReviews', versionKey: false },
);
schema.index({ changeRequest: 1, createdAt: -1, _id: -1 });
schema.index({ changeRequest: 1, isOutdated: 1, createdAt: -1, _id: -1 });
schema.index({ space: 1 });

export const Review = mongoose.model('Review', schema);
