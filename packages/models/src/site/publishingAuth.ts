import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { sealedSecretSchema } from '../database/sealedSecret.ts';

/** How the visitors of a site authenticate. Created on first use; one per site. */
export type PublishingAuthRecord = {
  /** The id of the site. */
  _id: string;
  organization: string;
  backend: 'custom' | 'integration';
  /** The key with which the organization's own service signs visitor claims. */
  sealedKey: SealedSecret;
  /** Where visitors sign in. */
  fallbackUrl?: string;
  logoutUrl?: string;
  version: number;
  createdAt: Date;
};

const schema = new Schema<PublishingAuthRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    backend: { type: String, default: 'custom' },
    sealedKey: { type: sealedSecretSchema, required: true } as never,
    fallbackUrl: String,
    logoutUrl: String,
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'publishingAuths', versionKey: false },
);

export const PublishingAuth = mongoose.model('PublishingAuth', schema);
