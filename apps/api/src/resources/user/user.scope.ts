import { Id, notFound } from '@bindery/contract';
import { Member, User, type UserRecord } from '@bindery/models';
import type { Visitor } from '@bindery/publishing';
import type { Actor } from '../../http/actor.ts';
import { forReaders, root } from '../../http/scope.ts';
import { findOwnMembers } from '../../records/ownMember.ts';

/** A user, visible to themselves and to members of their organizations; for others it does not exist. */
export const inUser = root.scope({
  name: 'User',
  path: '/users/:userId',
  params: { userId: Id },
  load: async ({ actor, params }) => ({ user: await loadUserFor(actor, params.userId) }),
  permissions: ({ actor, user }) => ({ 'user.view': true, 'user.edit': user._id === actor.user.id }),
});

/**
 * A user for reads that visitors of a site may perform too: its content mentions people of its organization,
 * but visitors do not see their e-mail addresses.
 */
export const inReadableUser = forReaders.scope({
  name: 'User',
  path: '/users/:userId',
  params: { userId: Id },
  load: async ({ reader: { actor, visitor }, params: { userId } }) => {
    if (actor) return { user: await loadUserFor(actor, userId) };
    return { user: withoutEmail(await loadUser(userId, await isOfOrganization(visitor, userId))) };
  },
  permissions: () => ({ 'user.view': true }),
});

async function loadUser(id: string, isVisible: boolean): Promise<UserRecord> {
  const user = isVisible ? await User.findById(id).lean<UserRecord>() : null;
  if (!user) throw notFound('user', id);
  return user;
}

async function isOfOrganization({ organization, isAdmitted }: Visitor, user: string): Promise<boolean> {
  return isAdmitted && (await Member.exists({ user, organization })) !== null;
}

/**
 * Loads a user of one of the caller's organizations; without the e-mail address where the caller is only a
 * guest.
 */
async function loadUserFor(actor: Actor, userId: string): Promise<UserRecord> {
  if (userId === actor.user.id) return loadUser(userId, true);
  const own = await findOwnMembers(actor);
  const shares = async (memberships: typeof own) =>
    (await Member.exists({
      user: userId,
      organization: { $in: memberships.map(({ organization }) => organization) },
    })) !== null;
  if (await shares(own.filter(({ role }) => role !== null))) return loadUser(userId, true);
  return withoutEmail(await loadUser(userId, await shares(own.filter(({ role }) => role === null))));
}

function withoutEmail({ email: _email, ...user }: UserRecord): UserRecord {
  return user;
}
