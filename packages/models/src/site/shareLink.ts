import { signText, type SealedSecret, type SecretKeys } from '@bindery/runtime';
import mongoose, { Schema } from 'mongoose';
import { sealedSecretSchema } from '../database/sealedSecret.ts';

/** A secret link that opens one site whose visibility is `share-link`. */
export type ShareLinkRecord = {
  _id: string;
  organization: string;
  site: string;
  name: string;
  isActive: boolean;
  /** A keyed hash of the secret, used for lookups. */
  keyHash: string;
  /** The secret itself, for the URL shown to the site's admins. */
  sealedKey: SealedSecret;
  version: number;
  createdBy: string;
  createdAt: Date;
};

/** The context for sealing the secret of a link. */
export function shareLinkContext(linkId: string): string {
  return `share-link:${linkId}`;
}

/** Computes the keyed hash of the secret of a link to a site. */
export function hashShareKey(keys: Pick<SecretKeys, 'key'>, siteId: string, secret: string): string {
  return signText(keys, 'share-link', JSON.stringify([siteId, secret]));
}

const schema = new Schema<ShareLinkRecord>(
  {
    _id: String,
    organization: { type: String, required: true },
    site: { type: String, required: true },
    name: { type: String, default: '' },
    isActive: { type: Boolean, default: true },
    keyHash: { type: String, required: true },
    sealedKey: { type: sealedSecretSchema, required: true } as never,
    version: { type: Number, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'shareLinks', versionKey: false },
);
schema.index({ site: 1, createdAt: -1, _id: -1 });
schema.index({ keyHash: 1 }, { unique: true });

export const ShareLink = mongoose.model('ShareLink', schema);
