import { randomBytes } from 'node:crypto';
import mongoose, { Schema } from 'mongoose';
import { databaseNow } from '../database/databaseClock.ts';
import { hashOfSecret } from '../organization/accounts.ts';

export const signInLinkMinutes = 15;

/** A link that signs its user in to the console once. */
type SignInLinkRecord = {
  /** SHA-256 of the secret in the link, hex; the secret itself is not stored. */
  _id: string;
  user: string;
  createdAt: Date;
};

const schema = new Schema<SignInLinkRecord>(
  {
    _id: String,
    user: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'signInLinks', versionKey: false },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: signInLinkMinutes * 60 });

export const SignInLink = mongoose.model('SignInLink', schema);

/** Makes a link for a user. @returns its secret, base64url, which is stored nowhere */
export async function createSignInLink(user: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await SignInLink.create({ _id: hashOfSecret(secret), user, createdAt: databaseNow() });
  return secret;
}

/** Uses a link up. @returns the id of its user; undefined for one that is unknown, used or too old */
export async function useSignInLink(secret: string): Promise<string | undefined> {
  const link = await SignInLink.findOneAndDelete({
    _id: hashOfSecret(secret),
    createdAt: { $gt: new Date(databaseNow().getTime() - signInLinkMinutes * 60_000) },
  }).lean<SignInLinkRecord>();
  return link?.user;
}
