import { createHash } from 'node:crypto';
import type { SamlProviderRecord } from '../organization/saml.ts';

/**
 * Tells SAML providers apart by what their responses are trusted for. With another entity ID or certificate,
 * the record names another identity provider, for which earlier sessions do not speak.
 */
export function samlProviderHash({
  entityID = '',
  certificate = '',
}: Pick<SamlProviderRecord, 'entityID' | 'certificate'>): string {
  // Forms send other line breaks.
  return hashOf('saml', entityID, certificate.replaceAll(/\s/g, ''));
}

/** The same for the OpenID Connect provider of the installation. */
export function openIdProviderHash({ issuer, clientId }: { issuer: string; clientId: string }): string {
  return hashOf('openid', issuer, clientId);
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
