import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { newId, randomText } from '@bindery/runtime';
import { ApiToken, type ApiTokenRecord } from './apiToken.ts';
import { withTransaction } from './connection.ts';
import { Member, Organization, type MemberRecord, type OrganizationRecord } from './organization.ts';
import { User, type UserRecord } from './user.ts';

const tokenShape = /^bnd_([0-9A-Za-z]{43})([0-9a-z]{7})$/;

/** A new API token: prefix, 256 random bits in base 62, and a checksum that tells a mistyped token from an unknown one without a query. */
function newTokenText(): string {
  const random = randomText(43);
  return `bnd_${random}${checksumOf(random)}`;
}

function checksumOf(text: string): string {
  return crc32(text).toString(36).padStart(7, '0');
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Makes a token for a user.
 *
 * @returns the token itself, which is shown once and never stored, and the record's id
 */
export async function createApiToken({
  userId,
  label,
  expiresAt,
}: {
  userId: string;
  label: string;
  expiresAt?: Date;
}): Promise<{ token: string; id: string }> {
  const token = newTokenText();
  const id = newId();
  await ApiToken.create({ _id: id, user: userId, label, hash: hashOf(token), createdAt: new Date(), ...(expiresAt && { expiresAt }) });
  return { token, id };
}

/** Every token that still works or did, newest first, with its user. */
export async function listApiTokens(): Promise<(ApiTokenRecord & { userName: string })[]> {
  const tokens = await ApiToken.find().sort({ createdAt: -1 }).lean<ApiTokenRecord[]>();
  const users = await User.find({ _id: { $in: tokens.map((token) => token.user) } }).lean<UserRecord[]>();
  const names = new Map(users.map((user) => [user._id, user.displayName]));
  return tokens.map((token) => ({ ...token, userName: names.get(token.user) ?? token.user }));
}

/** @returns whether there was such a token; one that is already revoked stays so */
export async function revokeApiToken(id: string): Promise<boolean> {
  const { matchedCount } = await ApiToken.updateOne({ _id: id }, [{ $set: { revokedAt: { $ifNull: ['$revokedAt', '$$NOW'] } } }], {
    updatePipeline: true,
  });
  return matchedCount === 1;
}

/** The user that a token belongs to; undefined for an unknown, revoked or expired token, without a difference between them. */
export async function findUserByToken(token: string): Promise<{ user: UserRecord; tokenId: string } | undefined> {
  const parts = tokenShape.exec(token);
  if (!parts || checksumOf(parts[1] ?? '') !== parts[2]) return undefined;
  const hash = hashOf(token);
  const record = await ApiToken.findOne({ hash }).lean<ApiTokenRecord>();
  if (!record || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(hash))) return undefined;
  const now = new Date();
  if (record.revokedAt || (record.expiresAt && record.expiresAt <= now)) return undefined;
  const user = await User.findById(record.user).lean<UserRecord>();
  if (!user) return undefined;
  noteUse(record, now);
  return { user, tokenId: record._id };
}

/** Once a minute is enough to tell a token in use from a forgotten one; a failure to note it fails no request. */
function noteUse(record: ApiTokenRecord, now: Date): void {
  if (record.lastUsedAt && now.getTime() - record.lastUsedAt.getTime() < 60_000) return;
  ApiToken.updateOne({ _id: record._id }, { $set: { lastUsedAt: now } }, { writeConcern: { w: 1, j: false } }).catch(() => {});
}

/** Makes an organization and its first admin in one transaction. */
export async function createOrganization({
  title,
  userId,
  emailDomains = [],
}: {
  title: string;
  userId: string;
  emailDomains?: string[];
}): Promise<OrganizationRecord> {
  const organization: OrganizationRecord = { _id: newId(), title, emailDomains, defaultRole: 'read', createdAt: new Date() };
  await withTransaction(async (session) => {
    const user = await User.findById(userId).session(session).lean<UserRecord>();
    if (!user) throw new Error(`There is no user ${userId}.`);
    await Organization.create([organization], { session });
    await Member.create([newMember(user, { organization: organization._id, role: 'admin' })], { session });
  });
  return organization;
}

/** The record with which a user becomes a member. */
export function newMember(
  { _id: user, displayName, email }: Pick<UserRecord, '_id' | 'displayName' | 'email'>,
  { organization, role, sso }: Pick<MemberRecord, 'organization' | 'role' | 'sso'>,
): MemberRecord {
  return {
    _id: newId(),
    organization,
    user,
    role,
    teams: [],
    displayName,
    ...(email !== undefined && { email }),
    ...(sso !== undefined && { sso }),
    version: 1,
    joinedAt: new Date(),
  };
}

/** Makes a user; `isOperator` lets it open `/admin/*`. */
export async function createUser(fields: { email?: string; displayName: string; isOperator: boolean }): Promise<UserRecord> {
  const user: UserRecord = { _id: newId(), createdAt: new Date(), ...fields };
  await User.create(user);
  return user;
}

/** Makes the first user of an installation, an operator, with an organization and a token. */
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
