import type { SamlIssuer, SamlService } from './samlMessages.ts';

/**
 * The URL of a sign-in through a provider: where it starts, where the provider posts its response, and the
 * description of this platform, whose URL is also its name.
 *
 * @param publicUrl  origin of the API
 * @param provider  id of the provider
 */
export function samlEndpoint(
  publicUrl: string,
  provider: string,
  endpoint: 'acs' | 'start' | 'metadata',
): string {
  return `${publicUrl}/sso/saml/${provider}/${endpoint}`;
}

/** This platform as one provider knows it. */
export function serviceOf(publicUrl: string, provider: string): SamlService {
  return {
    entityId: samlEndpoint(publicUrl, provider, 'metadata'),
    acsUrl: samlEndpoint(publicUrl, provider, 'acs'),
  };
}

/** The settings of a provider; undefined while they are incomplete. */
export function issuerOf({
  entityID,
  ssoURL,
  certificate,
  status,
}: {
  entityID?: string;
  ssoURL?: string;
  certificate?: string;
  status: 'active' | 'pending';
}): SamlIssuer | undefined {
  if (status !== 'active' || !entityID || !ssoURL || !certificate) return undefined;
  return { entityId: entityID, ssoUrl: ssoURL, certificate };
}
