import mongoose, { Schema } from 'mongoose';

export type UserRecord = {
  _id: string;
  displayName: string;
  /** In lower case. */
  email?: string;
  photoURL?: string;
  /** Grants access to `/admin/*`; an organization's admin is not an operator. */
  isOperator: boolean;
  /** When the operator last signed out of `/admin`: earlier sessions have ended. */
  signedOutAt?: Date;
  /**
   * Counts its changes and its memberships: copying the name into a member increments it, so that a
   * concurrent change of the name comes before or after.
   */
  version?: number;
  createdAt: Date;
};

const schema = new Schema<UserRecord>(
  {
    _id: String,
    displayName: { type: String, required: true },
    email: String,
    photoURL: String,
    isOperator: { type: Boolean, default: false },
    signedOutAt: Date,
    version: Number,
    createdAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
);
schema.index({ email: 1 }, { unique: true, partialFilterExpression: { email: { $exists: true } } });

export const User = mongoose.model('User', schema);
