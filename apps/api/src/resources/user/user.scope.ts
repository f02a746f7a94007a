import { Id, notFound } from '@bindery/contract';
import { Member, User, type UserRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';

/** A user, for themselves and for whoever is in an organization with them; for everybody else it does not exist. */
export const inUser = root.scope({
  name: 'User',
  path: '/users/:userId',
  params: { userId: Id },
  load: async ({ actor, params }) => {
    const user = (await sharesOrganization(actor, params.userId)) ? await User.findById(params.userId).lean<UserRecord>() : null;
    if (!user) throw notFound('user', params.userId);
    return { user };
  },
  permissions: ({ actor, user }) => ({ 'user.view': true, 'user.edit': user._id === actor.user.id }),
});

async function sharesOrganization(actor: Actor, userId: string): Promise<boolean> {
  if (userId === actor.user.id) return true;
  const organizations = await Member.distinct('organization', { user: actor.user.id });
  return (await Member.exists({ user: userId, organization: { $in: organizations } })) !== null;
}
