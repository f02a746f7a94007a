import {
  revokeTokensOfProvider,
  SamlProvider,
  withTransaction,
  type SamlProviderRecord,
} from '@bindery/models';
import { keepSignIn } from './keepSignIn.ts';

/**
 * Deletes a provider; the tokens that were made in its sessions end with it, as the sessions do.
 *
 * @throws precondition_failed when nobody could sign in any longer
 */
export async function deleteSamlProvider({ _id, organization }: SamlProviderRecord): Promise<void> {
  await withTransaction(async (session) => {
    const deleted = await SamlProvider.findOneAndDelete({ _id }).session(session).lean<SamlProviderRecord>();
    await revokeTokensOfProvider(_id, session);
    if (deleted?.status === 'active') await keepSignIn(organization, session);
  });
}
