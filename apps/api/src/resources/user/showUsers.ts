import type { User } from '@bindery/contract';
import { Member, User as UserModel, type MemberRecord, type UserRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { presentUser } from '../../presenters/user.presenter.ts';

/** Name of a deleted user, whose id alone is left. */
const unknownName = 'Unknown user';

/** The caller and the organization in which they view users; a visitor of a site has no user id. */
export type Viewer = { links: Links; organization: string; user?: string | undefined };

/**
 * Loads the users with these ids, which may repeat, in two queries, and returns a function that presents them
 * by id.
 *
 * Members of an organization see each other's e-mail addresses. Guests see only names. Of users who are not
 * members, such as the authors of a space transferred from another organization, all see only names.
 */
export async function showUsers(ids: Iterable<string>, viewer: Viewer): Promise<(id: string) => User> {
  const wanted = [...new Set(ids)];
  const asked = viewer.user === undefined ? wanted : [...wanted, viewer.user];
  const [users, members] = await Promise.all([
    UserModel.find({ _id: { $in: wanted } }).lean<UserRecord[]>(),
    Member.find({ organization: viewer.organization, user: { $in: asked } }, { user: 1, role: 1 }).lean<
      Pick<MemberRecord, 'user' | 'role'>[]
    >(),
  ]);
  const roles = new Map(members.map(({ user, role }) => [user, role]));
  const isMember = (roles.get(viewer.user ?? '') ?? null) !== null;
  const seesEmailOf = (id: string) => id === viewer.user || (isMember && roles.has(id));
  const shown = new Map(
    users.map(({ _id: id, displayName, email, photoURL }) => [
      id,
      presentUser(
        {
          id,
          displayName,
          email: seesEmailOf(id) ? email : undefined,
          photoURL,
        },
        viewer.links,
      ),
    ]),
  );
  return (id) => shown.get(id) ?? presentUser({ id, displayName: unknownName }, viewer.links);
}
