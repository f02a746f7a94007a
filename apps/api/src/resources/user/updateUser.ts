import { notFound } from '@bindery/contract';
import { Member, User, withTransaction, type UserRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';

/**
 * Changes the profile of a user; `photoURL` null removes the photo. Also updates the copies of the name that
 * lists of members show.
 */
export async function updateUser(
  id: string,
  { displayName, photoURL }: { displayName?: string | undefined; photoURL?: string | null | undefined },
): Promise<UserRecord> {
  return withTransaction(async (session) => {
    const name = displayName?.trim();
    const user = await User.findByIdAndUpdate(
      id,
      {
        $set: compact({ displayName: name, photoURL: photoURL ?? undefined }),
        ...(photoURL === null && { $unset: { photoURL: 1 } }),
        $inc: { version: 1 },
      },
      { returnDocument: 'after', session },
    ).lean<UserRecord>();
    if (!user) throw notFound('user', id);
    if (name !== undefined)
      await Member.updateMany({ user: id }, { $set: { displayName: name } }, { session });
    return user;
  });
}
