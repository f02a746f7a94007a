import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ApiError } from '@bindery/contract';
import { newId, randomText } from '@bindery/runtime';
import { ApiToken, type ApiTokenRecord } from './apiToken.ts';
import { withTransaction, type ClientSession } from '../database/connection.ts';
import { claimEmailDomains } from './emailDomains.ts';
import { addMembers } from './members.ts';
import { Organization, type OrganizationRecord } from './organization.ts';
import { User, type UserRecord } from './user.ts';

const tokenShape = /^bnd_([0-9A-Za-z]{43})([0-9a-z]{7})$/;

/**
 * Makes the text of a new API token: prefix, 256 random bits in base 62, and a checksum that detects a
 * mistyped token without a query.
 */
function newTokenText(): string {
  const random = randomText(43);
  return `bnd_${random}${checksumOf(random)}`;
}

function checksumOf(text: string): string {
  return crc32(text).toString(36).padStart(7, '0');
}

/** SHA-256, hex: enough for a secret of 256 random bits. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Creates a token for a user.
 *
 * @returns the token itself, which is shown once and never stored, and the record
 */
export async function createApiToken({
  userId,
  label,
  madeBy,
  ...limits
}: {
  userId: string;
  label: string;
  /** A limited token; the new one is revoked with it. */
  madeBy?: string;
} & Pick<
  ApiTokenRecord,
  'expiresAt' | 'scopes' | 'organizations' | 'spaces' | 'provider' | 'signedInTo'
>): Promise<{
  token: string;
  record: ApiTokenRecord;
}> {
  const token = newTokenText();
  const made: ApiTokenRecord = {
    _id: newId(),
    user: userId,
    label,
    hash: hashOfSecret(token),
    createdAt: new Date(),
    ...limits,
  };
  const record = await withTransaction(async (session) => {
    const ancestors = madeBy === undefined ? undefined : await holdMaker(madeBy, session);
    const whole = { ...made, ancestors };
    await ApiToken.create([whole], { session });
    return whole;
  });
  return { token, record };
}

/**
 * Writes the token that makes another one, so that a concurrent revocation also finds the new token, or
 * prevents it.
 */
async function holdMaker(id: string, session: ClientSession): Promise<string[]> {
  const maker = await ApiToken.findOneAndUpdate(
    { _id: id, revokedAt: { $exists: false } },
    { $inc: { made: 1 } },
    { session },
  ).lean<ApiTokenRecord>();
  if (!maker) throw new ApiError('unauthorized', 'The token has been revoked.');
  return [...(maker.ancestors ?? []), id];
}

/** Lists all tokens, also revoked and expired ones, newest first, with their users. */
export async function listApiTokens(): Promise<(ApiTokenRecord & { userName: string })[]> {
  const tokens = await ApiToken.find().sort({ createdAt: -1 }).lean<ApiTokenRecord[]>();
  const users = await User.find({ _id: { $in: tokens.map((token) => token.user) } }).lean<UserRecord[]>();
  const names = new Map(users.map((user) => [user._id, user.displayName]));
  return tokens.map((token) => ({ ...token, userName: names.get(token.user) ?? token.user }));
}

/**
 * Revokes a token immediately, and the tokens that it made while it was limited; a revoked one stays so.
 *
 * @param only  a filter of the tokens that the caller may revoke
 * @returns whether such a token was found
 */
export async function revokeApiToken(id: string, only: object = {}): Promise<boolean> {
  const revoke = [{ $set: { revokedAt: { $ifNull: ['$revokedAt', '$$NOW'] } } }];
  return withTransaction(async (session) => {
    const { matchedCount } = await ApiToken.updateOne({ ...only, _id: id }, revoke, {
      updatePipeline: true,
      session,
    });
    if (matchedCount === 0) return false;
    await ApiToken.updateMany({ ancestors: id }, revoke, { updatePipeline: true, session });
    return true;
  });
}

/** Revokes the tokens that were made in sessions of a SAML provider. */
export async function revokeTokensOfProvider(provider: string, session: ClientSession): Promise<void> {
  await ApiToken.updateMany(
    { provider, revokedAt: { $exists: false } },
    { $set: { revokedAt: new Date() } },
    { session },
  );
}

/** Finds the user of a token; undefined for an unknown, revoked or expired token, without distinction. */
export async function findUserByToken(
  token: string,
): Promise<{ user: UserRecord; token: ApiTokenRecord } | undefined> {
  const parts = tokenShape.exec(token);
  if (!parts || checksumOf(parts[1] ?? '') !== parts[2]) return undefined;
  const hash = hashOfSecret(token);
  const record = await ApiToken.findOne({ hash }).lean<ApiTokenRecord>();
  if (!record || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(hash))) return undefined;
  const now = new Date();
  if (!isInForce(record, now)) return undefined;
  const user = await User.findById(record.user).lean<UserRecord>();
  if (!user) return undefined;
  noteUse(record, now);
  return { user, token: record };
}

function isInForce(
  { revokedAt, expiresAt }: Pick<ApiTokenRecord, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean {
  return !revokedAt && !(expiresAt && expiresAt <= now);
}

/** Finds the user of a valid token by its id; undefined as `findUserByToken`. */
export async function findUserByTokenId(
  id: string,
): Promise<{ user: UserRecord; token: ApiTokenRecord } | undefined> {
  const token = await ApiToken.findById(id).lean<ApiTokenRecord>();
  if (!token || !isInForce(token, new Date())) return undefined;
  const user = await User.findById(token.user).lean<UserRecord>();
  return user ? { user, token } : undefined;
}

/** Returns which of these tokens, by id, are valid. */
export async function findTokensInForce(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const fields = { user: 1, revokedAt: 1, expiresAt: 1 };
  const tokens = await ApiToken.find({ _id: { $in: ids } }, fields).lean<ApiTokenRecord[]>();
  const users = await User.find(
    { _id: { $in: [...new Set(tokens.map(({ user }) => user))] } },
    { _id: 1 },
  ).lean<{ _id: string }[]>();
  const known = new Set(users.map(({ _id }) => _id));
  const now = new Date();
  return new Set(
    tokens.filter((token) => isInForce(token, now) && known.has(token.user)).map(({ _id }) => _id),
  );
}

/**
 * Notes the use once a minute, which is enough to tell used from forgotten tokens; a failure fails no
 * request.
 */
function noteUse(record: ApiTokenRecord, now: Date): void {
  if (record.lastUsedAt && now.getTime() - record.lastUsedAt.getTime() < 60_000) return;
  ApiToken.updateOne(
    { _id: record._id },
    { $set: { lastUsedAt: now } },
    { writeConcern: { w: 1, j: false } },
  ).catch(() => {});
}

/** Creates an organization and its first admin in one transaction. */
export async function createOrganization({
  title,
  userId,
  emailDomains = [],
}: {
  title: string;
  userId: string;
  emailDomains?: string[];
}): Promise<OrganizationRecord> {
  const organization: OrganizationRecord = {
    _id: newId(),
    title,
    emailDomains,
    provenEmailDomains: [],
    defaultRole: 'read',
    createdAt: new Date(),
  };
  await withTransaction(async (session) => {
    await Organization.create([organization], { session });
    await claimEmailDomains(organization._id, emailDomains, session);
    const [admin] = await addMembers(organization._id, [{ user: userId, role: 'admin' }], session);
    if (!admin) throw new Error(`There is no user ${userId}.`);
  });
  return organization;
}

/** Creates a user; `isOperator` grants access to `/admin/*`. */
export async function createUser({
  email,
  ...fields
}: {
  email?: string;
  displayName: string;
  isOperator: boolean;
}): Promise<UserRecord> {
  const user: UserRecord = {
    _id: newId(),
    createdAt: new Date(),
    ...fields,
    email: email?.toLowerCase(),
  };
  await User.create(user);
  return user;
}

/** Creates the first user of an installation, an operator, with an organization and a token. */
export async function createFirstUser({
  email,
  displayName,
  organizationTitle,
}: {
  email: string;
  displayName: string;
  organizationTitle: string;
}): Promise<{
  user: UserRecord;
  organization: OrganizationRecord;
  token: string;
}> {
  const user = await createUser({ email, displayName, isOperator: true });
  const organization = await createOrganization({ title: organizationTitle, userId: user._id });
  const { token } = await createApiToken({ userId: user._id, label: 'First token' });
  return { user, organization, token };
}
