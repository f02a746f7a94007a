import type { TokenScope } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';

/** A personal API token; the token itself is not stored. */
export type ApiTokenRecord = {
  _id: string;
  user: string;
  label: string;
  /** SHA-256 of the token, hex. */
  hash: string;
  createdAt: Date;
  /** What the token allows; absent allows everything. */
  scopes?: TokenScope[];
  /** The organizations and single spaces that the token reaches; without both, everything. */
  organizations?: string[];
  spaces?: string[];
  /** The tokens that it is revoked with: the limited one that made it, and that one's ancestors. */
  ancestors?: string[];
  expiresAt?: Date;
  revokedAt?: Date;
  lastUsedAt?: Date;
  /** The number of tokens made by it while it was limited. */
  made?: number;
};

const schema = new Schema<ApiTokenRecord>(
  {
    _id: String,
    user: { type: String, required: true },
    label: { type: String, required: true },
    hash: { type: String, required: true },
    createdAt: { type: Date, required: true },
    // Without this, mongoose would default to empty lists: a token that reaches nothing.
    scopes: { type: [String], default: undefined } as never,
    organizations: { type: [String], default: undefined },
    spaces: { type: [String], default: undefined },
    ancestors: { type: [String], default: undefined },
    expiresAt: Date,
    revokedAt: Date,
    lastUsedAt: Date,
    made: Number,
  },
  { collection: 'apiTokens', versionKey: false },
);
schema.index({ hash: 1 }, { unique: true });
schema.index({ user: 1, createdAt: -1, _id: -1 });
schema.index({ ancestors: 1 }, { sparse: true });

export const ApiToken = mongoose.model('ApiToken', schema);
