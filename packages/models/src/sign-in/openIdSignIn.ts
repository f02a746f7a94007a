import mongoose, { Schema } from 'mongoose';
import { databaseNow } from '../database/databaseClock.ts';
import { hashOfSecret } from '../organization/accounts.ts';

const longestMinutes = 10;

/** A sign-in through OpenID Connect, from its start in a browser until the browser comes back. */
type OpenIdSignInRecord = {
  /** SHA-256 of the secret in the cookie of the browser, hex; the secret itself is not stored. */
  _id: string;
  /** The page of the console to show afterwards. */
  next: string;
  createdAt: Date;
};

const schema = new Schema<OpenIdSignInRecord>(
  {
    _id: String,
    next: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'openIdSignIns', versionKey: false },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: longestMinutes * 60 });

export const OpenIdSignIn = mongoose.model('OpenIdSignIn', schema);

/** Starts a sign-in, which must end within 10 minutes in the browser that has the secret. */
export async function startOpenIdSignIn(secret: string, next: string): Promise<void> {
  await OpenIdSignIn.create({ _id: hashOfSecret(secret), next, createdAt: databaseNow() });
}

/** Uses a sign-in up. @returns the page to show; undefined the second time, and after 10 minutes */
export async function useOpenIdSignIn(secret: string): Promise<{ next: string } | undefined> {
  const used = await OpenIdSignIn.findOneAndDelete({
    _id: hashOfSecret(secret),
    createdAt: { $gt: new Date(databaseNow().getTime() - longestMinutes * 60_000) },
  }).lean<OpenIdSignInRecord>();
  return used ? { next: used.next } : undefined;
}
