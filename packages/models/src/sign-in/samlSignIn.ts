import { randomBytes } from 'node:crypto';
import mongoose, { Schema } from 'mongoose';
import { databaseNow } from '../database/databaseClock.ts';
import { hashOfSecret } from '../organization/accounts.ts';
import type { SamlProviderRecord } from '../organization/saml.ts';
import type { SessionStart } from './consoleSession.ts';
import { samlProviderHash } from './providerHash.ts';

const longestMinutes = 10;

/** A sign-in through a SAML provider, from its start in a browser until the browser comes back. */
export type SamlSignInRecord = {
  /** The id of the request, which the provider's response names. */
  _id: string;
  provider: string;
  /** SHA-256 of the secret in the cookie of the browser that started it, hex. */
  browser: string;
  createdAt: Date;
  /** The user that the response names; set once, so that a response counts once. */
  user?: string;
  /** The provider whose response it was, see samlProviderHash. */
  providerHash?: string;
};

const schema = new Schema<SamlSignInRecord>(
  {
    _id: String,
    provider: { type: String, required: true },
    browser: { type: String, required: true },
    createdAt: { type: Date, required: true },
    user: String,
    providerHash: String,
  },
  { collection: 'samlSignIns', versionKey: false },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: longestMinutes * 60 });

export const SamlSignIn = mongoose.model('SamlSignIn', schema);

/**
 * Starts a sign-in, which must end within 10 minutes in the same browser.
 *
 * @returns the id of the request, and the secret for a cookie, which is stored nowhere
 */
export async function startSamlSignIn(provider: string): Promise<{ id: string; secret: string }> {
  // An XML name, which cannot begin with a digit.
  const id = `_${randomBytes(20).toString('hex')}`;
  const secret = randomBytes(32).toString('base64url');
  await SamlSignIn.create({ _id: id, provider, browser: hashOfSecret(secret), createdAt: databaseNow() });
  return { id, secret };
}

/** Whether a response of a provider to this request is still awaited. */
export async function isSamlSignInOpen(id: string, provider: string): Promise<boolean> {
  return (await SamlSignIn.exists({ ...open(id), provider, user: { $exists: false } })) !== null;
}

/**
 * Notes the user whom the provider's verified response names.
 *
 * @returns whether it was awaited: false for a request that is unknown, old, answered before, or another
 *   provider's
 */
export async function answerSamlSignIn(
  id: string,
  { provider, user }: { provider: SamlProviderRecord; user: string },
): Promise<boolean> {
  const { modifiedCount } = await SamlSignIn.updateOne(
    { ...open(id), provider: provider._id, user: { $exists: false } },
    { $set: { user, providerHash: samlProviderHash(provider) } },
  );
  return modifiedCount === 1;
}

/**
 * Ends a sign-in that the provider has answered, in the browser that started it: another one, to which
 * somebody sent the address, gets nothing.
 *
 * @returns the start of a session; undefined the second time
 */
export async function endSamlSignIn(id: string, secret: string): Promise<SessionStart | undefined> {
  const ended = await SamlSignIn.findOneAndDelete({
    ...open(id),
    browser: hashOfSecret(secret),
    user: { $exists: true },
  }).lean<SamlSignInRecord>();
  if (ended?.user === undefined || ended.providerHash === undefined) return undefined;
  const { user, provider, providerHash } = ended;
  return { user, signedInWith: 'provider', provider, providerHash };
}

/** The index removes old ones with a delay. */
function open(_id: string): { _id: string; createdAt: object } {
  return { _id, createdAt: { $gt: new Date(databaseNow().getTime() - longestMinutes * 60_000) } };
}
