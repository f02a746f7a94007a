import mongoose, { Schema } from 'mongoose';

export type UserRecord = {
  _id: string;
  displayName: string;
  email?: string;
  photoURL?: string;
  /** May open `/admin/*`; an organization's admin is not an operator. */
  isOperator: boolean;
  createdAt: Date;
};

const schema = new Schema<UserRecord>(
  {
    _id: String,
    displayName: { type: String, required: true },
    email: String,
    photoURL: String,
    isOperator: { type: Boolean, default: false },
    createdAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
);
schema.index({ email: 1 }, { unique: true, partialFilterExpression: { email: { $type: 'string' } } });

export const User = mongoose.model('User', schema);
