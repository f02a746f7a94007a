import { Id, notFound } from '@bindery/contract';
import { SamlProvider, type SamlProviderRecord } from '@bindery/models';
import { inOrganization } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A SAML provider of an organization, for its admins. */
export const inSamlProvider = inOrganization.scope({
  name: 'SSO',
  path: '/saml/:samlProviderId',
  params: { samlProviderId: Id },
  load: async ({ organization, params }) => {
    const provider = await SamlProvider.findOne({
      _id: params.samlProviderId,
      organization: organization._id,
    }).lean<SamlProviderRecord>();
    if (!provider) throw notFound('SAML provider', params.samlProviderId);
    return { provider };
  },
  permissions: () => ({}),
  version: ({ provider }) => versionOf(SamlProvider, { _id: provider._id }),
});
