import { SamlProvider, withTransaction, type SamlProviderRecord } from '@bindery/models';
import { keepSignIn } from './keepSignIn.ts';

/** @throws precondition_failed when nobody could sign in any longer */
export async function deleteSamlProvider({ _id, organization }: SamlProviderRecord): Promise<void> {
  await withTransaction(async (session) => {
    const deleted = await SamlProvider.findOneAndDelete({ _id }).session(session).lean<SamlProviderRecord>();
    if (deleted?.status === 'active') await keepSignIn(organization, session);
  });
}
