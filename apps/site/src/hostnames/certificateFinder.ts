import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls';
import {
  certificateContext,
  HostnameCertificate,
  sealedSecretOf,
  type HostnameCertificateRecord,
} from '@bindery/models';
import { openSecret, type SecretKeys } from '@bindery/runtime';
import { LRUCache } from 'lru-cache';

/** A name without a certificate is looked up again after this time: it may have got one. */
const missingMs = 5_000;
/** Clients may ask for any name; those without a certificate take little. */
const maxNames = 2_000;

/**
 * Makes the function that finds the certificate for a TLS handshake. A name without one gets none, which ends
 * the handshake.
 *
 * @param keptMs  a renewed certificate is served after this time at the latest; the former one is still valid
 *   then
 */
export function createCertificateFinder(
  secrets: SecretKeys,
  { keptMs = 60_000 }: { keptMs?: number } = {},
): NonNullable<TlsOptions['SNICallback']> {
  const kept = new LRUCache<string, { context: SecureContext | undefined }>({
    max: maxNames,
    ttl: keptMs,
    // Handshakes for a name at the same time share the query.
    fetchMethod: async (hostname, _stale, { options }) => {
      const context = await loadContext(hostname, secrets);
      if (!context) options.ttl = Math.min(missingMs, keptMs);
      return { context };
    },
  });
  return (servername, done) => {
    kept.fetch(servername.toLowerCase()).then(
      (found) => done(null, found?.context),
      (error: Error) => done(error),
    );
  };
}

async function loadContext(hostname: string, secrets: SecretKeys): Promise<SecureContext | undefined> {
  const found = await HostnameCertificate.findById(hostname).lean<HostnameCertificateRecord>();
  if (!found?.chain || !found.sealedKey) return undefined;
  const key = openSecret(secrets, sealedSecretOf(found.sealedKey), certificateContext(hostname));
  return createSecureContext({ key, cert: found.chain });
}
