import type { SamlProvider, SsoLogin, Team } from '@bindery/contract';
import type { SamlProviderRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { warningsOf } from './certificate.ts';

/** @param defaultTeam  the team that the record names, if any */
export function presentSamlProvider(
  provider: SamlProviderRecord,
  { links, defaultTeam }: { links: Links; defaultTeam: Team | undefined },
): SamlProvider {
  const {
    _id: id,
    organization,
    label,
    ssoURL,
    entityID = '',
    certificate = '',
    defaultRole,
    createdAt,
    status,
  } = provider;
  const warnings = warningsOf(certificate);
  return {
    object: 'saml-provider',
    id,
    label,
    ssoURL,
    entityID,
    certificate,
    warnings: warnings.length > 0 ? warnings : undefined,
    defaultTeam,
    defaultRole,
    createdAt: createdAt.toISOString(),
    status,
    service: {
      acsURL: links.signIn(id, 'acs'),
      startURL: links.signIn(id, 'start'),
      entityID: links.signIn(id, 'metadata'),
    },
    urls: { location: links.api(`/orgs/${organization}/saml/${id}`) },
  };
}

export function presentSsoLogin({ _id: id, label }: SamlProviderRecord, links: Links): SsoLogin {
  return { id, label, startURL: links.signIn(id, 'start') };
}
