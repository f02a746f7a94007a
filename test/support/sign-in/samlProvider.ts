import { Organization, type OrganizationRecord, type SamlProviderRecord } from '@bindery/models';
import type { ApiAnswer, TestApi } from '../apiServer.ts';
import { buildSamlProvider } from '../factories.ts';
import type { IdentityProvider } from './identityProvider.ts';

/** A user of the identity provider, in the verified domain of the organization. */
export const ada = { id: 'ada@docs.example', displayName: 'Ada Lovelace', email: 'ada@docs.example' };

/** Lets an organization sign in through an identity provider. @param domains  those that it has verified */
export async function buildSignIn(
  organization: OrganizationRecord,
  idp: IdentityProvider,
  domains = ['docs.example'],
): Promise<SamlProviderRecord> {
  await Organization.updateOne(
    { _id: organization._id },
    { $set: { emailDomains: domains, provenEmailDomains: domains } },
  );
  return buildSamlProvider(organization, {
    label: 'Docs Inc.',
    entityID: idp.settings.issuer,
    certificate: idp.keys.cert,
    ssoURL: idp.ssoUrl,
    status: 'active',
    defaultRole: 'edit',
  });
}

/** Posts a response as the page of an identity provider makes a browser do. */
export async function postResponse(api: TestApi, to: string, response: string): Promise<ApiAnswer> {
  return api.call('POST', to, {
    token: null,
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ SAMLResponse: response, RelayState: '' }).toString(),
  });
}
