import type { SamlProvider, SsoLogin, Team } from '@bindery/contract';
import type { SamlProviderRecord } from '@bindery/models';
import { apiUrl, thePlatform } from '../../platform.ts';
import { warningsOf } from './certificate.ts';

/** @param defaultTeam  the team that the record names, if any */
export function presentSamlProvider(provider: SamlProviderRecord, { defaultTeam }: { defaultTeam: Team | undefined }): SamlProvider {
  const { _id: id, organization, label, ssoURL, entityID = '', certificate = '', defaultRole, createdAt, status } = provider;
  const warnings = warningsOf(certificate);
  return {
    object: 'saml-provider',
    id,
    label,
    ...(ssoURL !== undefined && { ssoURL }),
    entityID,
    certificate,
    ...(warnings.length > 0 && { warnings }),
    ...(defaultTeam && { defaultTeam }),
    defaultRole,
    createdAt: createdAt.toISOString(),
    status,
    service: { acsURL: signInUrl(id, 'acs'), startURL: signInUrl(id, 'start'), entityID: signInUrl(id, 'metadata') },
    urls: { location: apiUrl(`/orgs/${organization}/saml/${id}`) },
  };
}

export function presentSsoLogin({ _id: id, label }: SamlProviderRecord): SsoLogin {
  return { id, label, startURL: signInUrl(id, 'start') };
}

/** The places of the platform that an identity provider has to know. */
function signInUrl(id: string, place: 'acs' | 'start' | 'metadata'): string {
  return `${thePlatform().config.api.publicUrl}/sso/saml/${id}/${place}`;
}
