import { randomBytes } from 'node:crypto';
import mongoose, { Schema } from 'mongoose';
import { databaseNow } from '../database/databaseClock.ts';
import { findUserByTokenId, hashOfSecret } from '../organization/accounts.ts';
import type { ApiTokenRecord } from '../organization/apiToken.ts';
import { SamlProvider, type SamlProviderRecord } from '../organization/saml.ts';
import { User, type UserRecord } from '../organization/user.ts';
import { samlProviderHash } from './providerHash.ts';

const idleHours = 12;
const longestDays = 7;
const hourMs = 3_600_000;
const maxSessions = 100;

/** A sign-in of a person in one browser. */
export type ConsoleSessionRecord = {
  /** SHA-256 of the secret in the cookie, hex; the secret itself is not stored. */
  _id: string;
  user: string;
  signedInWith: 'token' | 'link' | 'openid' | 'provider';
  /** The token that signed in: the session ends with it, and has its limits. */
  token?: string;
  /** The SAML provider that signed in: the session ends with it. */
  provider?: string;
  /** The identity provider that was trusted at the sign-in, see samlProviderHash and openIdProviderHash. */
  providerHash?: string;
  createdAt: Date;
  /** To a minute. */
  lastSeenAt: Date;
  /** The first part of the `User-Agent`, to tell sessions apart. */
  userAgent: string;
};

const schema = new Schema<ConsoleSessionRecord>(
  {
    _id: String,
    user: { type: String, required: true },
    signedInWith: { type: String, required: true },
    token: String,
    provider: String,
    providerHash: String,
    createdAt: { type: Date, required: true },
    lastSeenAt: { type: Date, required: true },
    userAgent: { type: String, default: '' },
  },
  { collection: 'consoleSessions', versionKey: false },
);
schema.index({ user: 1, createdAt: -1, _id: -1 });
schema.index({ lastSeenAt: 1 }, { expireAfterSeconds: idleHours * 3_600 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: longestDays * 24 * 3_600 });

export const ConsoleSession = mongoose.model('ConsoleSession', schema);

/** A session that is valid, with its user, and the token that signed in. */
export type FoundSession = {
  session: ConsoleSessionRecord;
  user: UserRecord;
  token?: ApiTokenRecord;
  /**
   * The only organization that the session reaches: the one whose provider signed in. Its admins choose whom
   * the provider names, and must not reach the other organizations of that user.
   */
  organization?: string;
};

/** The user of a new session, and the way of signing in. */
export type SessionStart = { user: string } & (
  | { signedInWith: 'token'; token: string }
  | { signedInWith: 'link' }
  | { signedInWith: 'openid'; providerHash: string }
  | { signedInWith: 'provider'; provider: string; providerHash: string }
);

/** Starts a session. @returns the secret for the cookie, which is stored nowhere */
export async function startConsoleSession(from: SessionStart & { userAgent: string }): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const now = databaseNow();
  await ConsoleSession.create({
    ...from,
    _id: hashOfSecret(secret),
    userAgent: from.userAgent.slice(0, 200),
    createdAt: now,
    lastSeenAt: now,
  });
  return secret;
}

/**
 * Finds a valid session by the secret in its cookie or by its id: it was used within 12 hours, is younger
 * than a week, and the token or the SAML provider that signed in is still valid. The console knows the
 * provider of OpenID Connect, and checks that itself.
 *
 * With the secret, it also notes the use, once a minute.
 */
export async function findConsoleSession(
  by: { secret: string } | { id: string },
): Promise<FoundSession | undefined> {
  const id = 'id' in by ? by.id : hashOfSecret(by.secret);
  const session = await ConsoleSession.findById(id).lean<ConsoleSessionRecord>();
  const now = databaseNow();
  if (!session || consoleSessionEnd(session) <= now) return undefined;
  const found = await ownerOf(session);
  if (found && 'secret' in by && now.getTime() - session.lastSeenAt.getTime() >= 60_000)
    await ConsoleSession.updateOne({ _id: id }, { $max: { lastSeenAt: now } });
  return found && { session, ...found };
}

async function ownerOf(session: ConsoleSessionRecord): Promise<Omit<FoundSession, 'session'> | undefined> {
  const { token, provider, user: id } = session;
  if (token !== undefined) return findUserByTokenId(token);
  const user = await User.findById(id).lean<UserRecord>();
  if (!user || provider === undefined) return user ? { user } : undefined;
  const found = await SamlProvider.findOne({ _id: provider, status: 'active' }).lean<SamlProviderRecord>();
  return isTrusted(session, found) ? { user, organization: found.organization } : undefined;
}

/** Whether a provider is the one that signed in: the same record may be another identity provider now. */
function isTrusted(
  { providerHash }: ConsoleSessionRecord,
  provider: SamlProviderRecord | null | undefined,
): provider is SamlProviderRecord {
  return !!provider && samlProviderHash(provider) === providerHash;
}

/** When a session ends unless it is used again. */
export function consoleSessionEnd({
  createdAt,
  lastSeenAt,
}: Pick<ConsoleSessionRecord, 'createdAt' | 'lastSeenAt'>): Date {
  return new Date(
    Math.min(createdAt.getTime() + longestDays * 24 * hourMs, lastSeenAt.getTime() + idleHours * hourMs),
  );
}

/** Lists the sessions of a user that have not ended, newest first, at most 100. */
export async function listConsoleSessions(user: string): Promise<ConsoleSessionRecord[]> {
  const sessions = await ConsoleSession.find({ user })
    .sort({ createdAt: -1, _id: -1 })
    .limit(maxSessions)
    .lean<ConsoleSessionRecord[]>();
  return onlyInForce(sessions);
}

/**
 * Ends one session of a user, or all but one.
 *
 * @param which.only  ends those alone that started with this token or provider
 */
export async function endConsoleSessions(
  user: string,
  which: { id: string } | { allBut: string; only?: Pick<ConsoleSessionRecord, 'token' | 'provider'> },
): Promise<void> {
  if ('id' in which) await ConsoleSession.deleteOne({ user, _id: which.id });
  else {
    const { allBut, only } = which;
    await ConsoleSession.deleteMany({ user, _id: { $ne: allBut }, ...only });
  }
}

/** Returns which of these sessions, by id, are valid; the limit of a token is checked with the token. */
export async function findSessionsInForce(ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const sessions = await ConsoleSession.find({ _id: { $in: ids } }).lean<ConsoleSessionRecord[]>();
  return new Set((await onlyInForce(sessions)).map(({ _id }) => _id));
}

async function onlyInForce(sessions: readonly ConsoleSessionRecord[]): Promise<ConsoleSessionRecord[]> {
  const now = databaseNow();
  const ids = new Set(sessions.flatMap(({ provider }) => provider ?? []));
  const found =
    ids.size === 0
      ? []
      : await SamlProvider.find({ _id: { $in: [...ids] }, status: 'active' }).lean<SamlProviderRecord[]>();
  const providers = new Map(found.map((provider) => [provider._id, provider]));
  return sessions.filter((session) => {
    const { provider } = session;
    if (consoleSessionEnd(session) <= now) return false;
    return provider === undefined || isTrusted(session, providers.get(provider));
  });
}
