import type { User } from '@bindery/contract';
import { Member, User as UserModel, type MemberRecord, type UserRecord } from '@bindery/models';
import { presentUser } from '../../presenters/user.presenter.ts';

/** Of users that are gone there is only their id. */
const unknownName = 'Unknown user';

/** Who looks at users, and in which organization; a visitor of a site is no user. */
export type Viewer = { organization: string; user?: string | undefined };

/**
 * The users with these ids, as a look-up, however often each is named: two queries for a whole list of records that name users.
 *
 * Members of an organization see each other's e-mail addresses. Guests see names only, and so does everybody of those who are not members, such as the
 * authors of a space that came from another organization.
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
      presentUser({
        id,
        displayName,
        ...(email !== undefined && seesEmailOf(id) && { email }),
        ...(photoURL !== undefined && { photoURL }),
      }),
    ]),
  );
  return (id) => shown.get(id) ?? presentUser({ id, displayName: unknownName });
}
