import { newId } from '@bindery/runtime';
import type { ClientSession } from '../database/connection.ts';
import { Member, Organization, type MemberRecord } from './organization.ts';
import { PendingMember, pendingMemberId } from './pendingMember.ts';
import { User, type UserRecord } from './user.ts';

/** Builds the member record of a user. */
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
    email,
    sso,
    version: 1,
    joinedAt: new Date(),
  };
}

/**
 * Makes users members of an organization; existing members stay unchanged. The caller must have the consent
 * of existing users.
 *
 * @returns the new members, in the order given
 */
export async function addMembers(
  organization: string,
  joining: readonly ({ user: string } & Pick<MemberRecord, 'role' | 'sso'>)[],
  session: ClientSession,
): Promise<MemberRecord[]> {
  const byUser = new Map(joining.map((one) => [one.user, one]));
  const isMember = await Member.distinct('user', { organization, user: { $in: [...byUser.keys()] } }).session(
    session,
  );
  for (const user of isMember) byUser.delete(user);
  const ids = [...byUser.keys()];
  if (ids.length === 0) return [];
  await User.updateMany({ _id: { $in: ids } }, { $inc: { version: 1 } }, { session });
  const users = await User.find({ _id: { $in: ids } })
    .session(session)
    .lean<UserRecord[]>();
  const userById = new Map(users.map((user) => [user._id, user]));
  const members = [...byUser.values()].flatMap(({ user: id, role, sso }) => {
    const user = userById.get(id);
    return user ? [newMember(user, { organization, role, sso })] : [];
  });
  await Member.insertMany(members, { session });
  await PendingMember.deleteMany({ _id: { $in: members.map(pendingMemberId) } }, { session });
  return members;
}

/**
 * Finds the users with these e-mail addresses, given in lower case; missing ones are created and named after
 * the part before the `@`.
 *
 * @returns their ids by address, and whether they are new
 */
export async function findOrCreateUsers(
  emails: readonly string[],
  session: ClientSession,
): Promise<Map<string, { id: string; isNew: boolean }>> {
  const found = await User.find({ email: { $in: emails } }, { email: 1 })
    .session(session)
    .lean<UserRecord[]>();
  const users = new Map(found.map(({ _id: id, email = '' }) => [email, { id, isNew: false }]));
  const made = [...new Set(emails)]
    .filter((email) => !users.has(email))
    .map((email): UserRecord => ({
      _id: newId(),
      email,
      displayName: email.slice(0, email.lastIndexOf('@')).slice(0, 64),
      isOperator: false,
      createdAt: new Date(),
    }));
  if (made.length > 0) await User.insertMany(made, { session });
  for (const { _id, email = '' } of made) users.set(email, { id: _id, isNew: true });
  return users;
}

/**
 * Creates the user of an address that an identity provider vouches for, with the name that it gives.
 *
 * @returns the id of the user
 */
export async function createNamedUser(
  { email, displayName }: { email: string; displayName?: string | undefined },
  session: ClientSession,
): Promise<string> {
  const users = await findOrCreateUsers([email], session);
  const id = users.get(email)?.id ?? '';
  if (displayName) await User.updateOne({ _id: id }, { $set: { displayName } }, { session });
  return id;
}

/**
 * Whether an organization has another admin. Call it first in each transaction that demotes or removes an
 * admin.
 *
 * It writes the organization, so that when two admins remove each other at the same time, the later
 * transaction starts again and sees the last admin.
 */
export async function hasOtherAdmin(
  { organization, user }: Pick<MemberRecord, 'organization' | 'user'>,
  session: ClientSession,
): Promise<boolean> {
  await Organization.updateOne({ _id: organization }, { $inc: { adminVersion: 1 } }, { session });
  return (
    (await Member.exists({ organization, role: 'admin', user: { $ne: user } }).session(session)) !== null
  );
}
