import mongoose, { Schema } from 'mongoose';

export type UserRecord = {
  _id: string;
  displayName: string;
  /** In lower case. */
  email?: string;
  photoURL?: string;
  /** May open `/admin/*`; an organization's admin is not an operator. */
  isOperator: boolean;
  /** Counts its changes and its memberships: whoever copies its name into a member writes it, so that a change of the name comes before or after. */
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
    version: Number,
    createdAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
);
schema.index({ email: 1 }, { unique: true, partialFilterExpression: { email: { $exists: true } } });

export const User = mongoose.model('User', schema);
