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
  /** The scopes of the token; absent when it allows all operations. */
  scopes?: TokenScope[];
  /**
   * The organizations and spaces that the token gives access to; everything of the user when both are absent.
   */
  organizations?: string[];
  spaces?: string[];
  /**
   * The limited token that created this one, and the ancestors of that token. Revoking any of them revokes
   * this token.
   */
  ancestors?: string[];
  /** The SAML provider through which its user had signed in to make it, with its organization. */
  provider?: string;
  signedInTo?: string;
  expiresAt?: Date;
  revokedAt?: Date;
  lastUsedAt?: Date;
  /** The number of tokens that this token created while it was limited. */
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
    provider: String,
    signedInTo: String,
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
schema.index({ provider: 1 }, { sparse: true });

export const ApiToken = mongoose.model('ApiToken', schema);
