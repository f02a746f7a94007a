import type { User } from '@bindery/contract';
import { User as UserModel, type UserRecord } from '@bindery/models';
import { presentUser } from './user.presenter.ts';

/** Of users that are gone there is only their id. */
const unknownName = 'Unknown user';

/**
 * The users with these ids, as a look-up, however often each is named: one query for a whole list of records that name users.
 *
 * @param withEmail  false for readers who are no members
 */
export async function showUsers(ids: Iterable<string>, { withEmail = true }: { withEmail?: boolean } = {}): Promise<(id: string) => User> {
  const users = await UserModel.find({ _id: { $in: [...new Set(ids)] } }).lean<UserRecord[]>();
  const shown = new Map(
    users.map(({ _id: id, displayName, email, photoURL }) => [
      id,
      presentUser({
        id,
        displayName,
        ...(withEmail && email !== undefined && { email }),
        ...(photoURL !== undefined && { photoURL }),
      }),
    ]),
  );
  return (id) => shown.get(id) ?? presentUser({ id, displayName: unknownName });
}
