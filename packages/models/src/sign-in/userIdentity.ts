import mongoose, { Schema } from 'mongoose';
import { withTransaction, type ClientSession } from '../database/connection.ts';
import { ConsoleSession } from './consoleSession.ts';

/** The name of a user at an OpenID Connect provider, which stays when an e-mail address changes. */
type UserIdentityRecord = {
  /** Issuer and subject. */
  _id: string;
  user: string;
  issuer: string;
  createdAt: Date;
};

const schema = new Schema<UserIdentityRecord>(
  {
    _id: String,
    user: { type: String, required: true },
    issuer: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'userIdentities', versionKey: false },
);
// One at each provider: an address that has changed hands there does not give away the account.
schema.index({ user: 1, issuer: 1 }, { unique: true });

const UserIdentity = mongoose.model('UserIdentity', schema);

/** The name of a person at a provider. */
export type Identity = { issuer: string; subject: string };

const idOf = ({ issuer, subject }: Identity) => `${issuer} ${subject}`;

/** Finds the user with an identity. */
export async function findUserByIdentity(
  identity: Identity,
  session?: ClientSession,
): Promise<string | undefined> {
  const found = await UserIdentity.findById(idOf(identity))
    .session(session ?? null)
    .lean<UserIdentityRecord>();
  return found?.user;
}

/** Whether a user has an identity at a provider. */
export async function hasIdentity(
  of: { user: string; issuer: string },
  session: ClientSession,
): Promise<boolean> {
  return (await UserIdentity.exists(of).session(session)) !== null;
}

/** Remembers that an identity is a user's. */
export async function addIdentity(user: string, identity: Identity, session: ClientSession): Promise<void> {
  const { issuer } = identity;
  await UserIdentity.create([{ _id: idOf(identity), user, issuer, createdAt: new Date() }], { session });
}

/**
 * Forgets the identities of a user at all providers, and ends the sessions that they began: whoever next
 * signs in with the user's address is the user.
 *
 * @returns how many there were
 */
export async function forgetIdentities(user: string): Promise<number> {
  return withTransaction(async (session) => {
    const { deletedCount } = await UserIdentity.deleteMany({ user }, { session });
    await ConsoleSession.deleteMany({ user, signedInWith: 'openid' }, { session });
    return deletedCount;
  });
}
