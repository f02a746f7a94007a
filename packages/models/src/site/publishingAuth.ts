import { createHash } from 'node:crypto';
import type { SealedSecret } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { sealedSecretOf, sealedSecretSchema } from '../database/sealedSecret.ts';

/** How the visitors of a site authenticate. Created on first use; one per site. */
export type PublishingAuthRecord = {
  /** The id of the site. */
  _id: string;
  organization: string;
  backend: 'custom' | 'integration';
  /** The key with which the organization's own service signs visitor claims. */
  sealedKey: SealedSecret;
  /** What `signingKeyId` was before the key was sealed again. */
  keyId?: string;
  /** Where visitors sign in. */
  fallbackUrl?: string;
  logoutUrl?: string;
  version: number;
  createdAt: Date;
};

/** The context for sealing the key of a site. */
export function publishingAuthContext(siteId: string): string {
  return `publishing-auth:${siteId}`;
}

/** An id that differs between the keys of a site and does not reveal them. */
export function signingKeyId({
  keyId,
  sealedKey,
}: Pick<PublishingAuthRecord, 'keyId' | 'sealedKey'>): string {
  return (
    keyId ??
    createHash('sha256').update(sealedSecretOf(sealedKey).ciphertext).digest('base64url').slice(0, 22)
  );
}

const schema = new Schema<PublishingAuthRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    backend: { type: String, default: 'custom' },
    sealedKey: { type: sealedSecretSchema, required: true } as never,
    keyId: String,
    fallbackUrl: String,
    logoutUrl: String,
    version: { type: Number, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'publishingAuths', versionKey: false },
);

export const PublishingAuth = mongoose.model('PublishingAuth', schema);
