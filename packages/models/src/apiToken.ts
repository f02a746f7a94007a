import mongoose, { Schema } from 'mongoose';

/** A personal API token; the token itself is nowhere stored. */
export type ApiTokenRecord = {
  _id: string;
  user: string;
  label: string;
  /** SHA-256 of the token, hex. */
  hash: string;
  createdAt: Date;
  expiresAt?: Date;
  revokedAt?: Date;
  lastUsedAt?: Date;
};

const schema = new Schema<ApiTokenRecord>(
  {
    _id: String,
    user: { type: String, required: true },
    label: { type: String, required: true },
    hash: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: Date,
    revokedAt: Date,
    lastUsedAt: Date,
  },
  { collection: 'apiTokens', versionKey: false },
);
schema.index({ hash: 1 }, { unique: true });
schema.index({ user: 1, createdAt: -1, _id: -1 });

export const ApiToken = mongoose.model('ApiToken', schema);
