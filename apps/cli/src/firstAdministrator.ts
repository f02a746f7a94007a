import { createFirstUser, User } from '@bindery/models';
import { Refusal } from './refusal.ts';

/**
 * Creates the first administrator of an installation, an operator, with an organization and a token.
 *
 * @throws Refusal when the database already has users
 */
export async function createFirstAdministrator(): ReturnType<typeof createFirstUser> {
  if (await User.exists({}))
    throw new Refusal('The database has users, but no operator.', [
      'Is MONGODB_URI the database of this installation?',
    ]);
  return createFirstUser({
    email: 'admin@bindery.localhost',
    displayName: 'Administrator',
    organizationTitle: 'My organization',
  });
}
