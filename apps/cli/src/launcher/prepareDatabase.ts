import {
  createApiToken,
  findUserByToken,
  Member,
  Space,
  User,
  type MemberRecord,
  type UserRecord,
} from '@bindery/models';
import { createFirstAdministrator } from '../firstAdministrator.ts';
import { keepToken, keptToken } from './data-folder/secrets.ts';
import { upgradeDatabase } from './upgradeDatabase.ts';

/** The first administrator; `isNewToken` when this start made the token, which is then shown once. */
export type Admin = {
  token: string;
  isNewToken: boolean;
  organizationId: string | undefined;
  /** Whether anybody has made a space. */
  hasSpaces: boolean;
};

/**
 * Creates collections and indexes, in an empty database the first user with an organization, and ensures that
 * the data folder has a valid token. Needs the connection to MongoDB.
 */
export async function prepareDatabase(folder: string): Promise<Admin> {
  await upgradeDatabase();
  return { ...(await prepareToken(folder)), hasSpaces: (await Space.exists({})) !== null };
}

async function prepareToken(folder: string): Promise<Omit<Admin, 'hasSpaces'>> {
  const kept = await keptToken(folder);
  const known = kept === undefined ? undefined : await findUserByToken(kept);
  if (kept !== undefined && known)
    return { token: kept, isNewToken: false, organizationId: await organizationOf(known.user._id) };

  const operator = await User.findOne({ isOperator: true }).sort({ createdAt: 1 }).lean<UserRecord>();
  if (operator) {
    const { token } = await createApiToken({ userId: operator._id, label: 'Made by `bindery up`' });
    await keepToken(folder, token);
    return { token, isNewToken: true, organizationId: await organizationOf(operator._id) };
  }
  const first = await createFirstAdministrator();
  await keepToken(folder, first.token);
  return { token: first.token, isNewToken: true, organizationId: first.organization._id };
}

async function organizationOf(userId: string): Promise<string | undefined> {
  const member = await Member.findOne({ user: userId }).sort({ joinedAt: 1 }).lean<MemberRecord>();
  return member?.organization;
}
