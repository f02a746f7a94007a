import { Id, notFound } from '@bindery/contract';
import { Member, User, type UserRecord } from '@bindery/models';
import type { Actor, Visitor } from '../../http/actor.ts';
import { forReaders, root } from '../../http/scope.ts';

/** A user, for themselves and for whoever is in an organization with them; for everybody else it does not exist. */
export const inUser = root.scope({
  name: 'User',
  path: '/users/:userId',
  params: { userId: Id },
  load: async ({ actor, params }) => ({ user: await loadUser(params.userId, await sharesOrganization(actor, params.userId)) }),
  permissions: ({ actor, user }) => ({ 'user.view': true, 'user.edit': user._id === actor.user.id }),
});

/** The same place for reads that the visitors of a site may do too: its content mentions people of its organization, whose e-mail they do not see. */
export const inReadableUser = forReaders.scope({
  name: 'User',
  path: '/users/:userId',
  params: { userId: Id },
  load: async ({ reader: { actor, visitor }, params: { userId } }) => {
    if (actor) return { user: await loadUser(userId, await sharesOrganization(actor, userId)) };
    const { email: _email, ...user } = await loadUser(userId, await isOfOrganization(visitor, userId));
    return { user };
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

async function sharesOrganization(actor: Actor, userId: string): Promise<boolean> {
  if (userId === actor.user.id) return true;
  const organizations = await Member.distinct('organization', { user: actor.user.id });
  return (await Member.exists({ user: userId, organization: { $in: organizations } })) !== null;
}
