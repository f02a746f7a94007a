import { ApiError } from '@bindery/contract';
import { hasActiveSamlProvider, lockTree, Organization, type ClientSession } from '@bindery/models';

/**
 * Aborts a transaction that would leave an organization that requires single sign-on without a provider. Call
 * it after the changes.
 *
 * @throws precondition_failed
 */
export async function keepSignIn(organization: string, session: ClientSession): Promise<void> {
  // Locks the organization, so that two of these, or one and the request that turns `sso` on, run one after
  // the other.
  await lockTree(organization, session);
  const requiresSso = (await Organization.exists({ _id: organization, sso: true }).session(session)) !== null;
  if (!requiresSso || (await hasActiveSamlProvider(organization, session))) return;
  throw new ApiError(
    'precondition_failed',
    'The organization requires single sign-on, and this is its only provider that works.',
    {
      action:
        'Set up another provider first, or turn `sso` of the organization off; otherwise nobody could sign in.',
    },
  );
}
