import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { buildConnector as undiciConnector } from 'undici';
import type { AddressRules } from './address.ts';
import { refusedAddress } from './errors.ts';
import { buildConnector } from './undici.ts';
import { portOf } from './url.ts';

/**
 * Opens connections for undici, only to addresses that the rules permit.
 *
 * The socket uses exactly the checked addresses, so a name that changes between two lookups gains nothing.
 * undici calls no lookup function for a literal address, so this is a connect function and not just a lookup.
 */
export function guardedConnector(
  rules: AddressRules,
  options: { connectMs: number; trust?: SecureContext },
): undiciConnector.connector {
  return (target, callback) => {
    const hostname = target.hostname.replace(/^\[|\]$/g, '');
    const resolve = () => resolvePermitted(rules, hostname, portOf(target));
    const connect = buildConnector({
      timeout: options.connectMs,
      allowH2: false,
      maxCachedSessions: 0,
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 and --tls-min-v1.0 change the defaults.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      secureContext: options.trust,
      lookup: (_hostname, { all }, done) => {
        resolve().then(
          ([first, ...others]) =>
            all ? done(null, [first, ...others]) : done(null, first.address, first.family),
          (error: Error) => done(error, '', 0),
        );
      },
    });
    if (isIP(hostname) === 0) return connect(target, callback);
    resolve().then(
      () => connect(target, callback),
      (error: Error) => callback(error, null),
    );
  };
}

type Resolved = { address: string; family: number };

async function resolvePermitted(
  rules: AddressRules,
  hostname: string,
  port: number,
): Promise<[Resolved, ...Resolved[]]> {
  const [[first, ...others], own] = await Promise.all([
    lookup(hostname, { all: true }),
    ownAddresses(rules.ownHosts(port)),
  ]);
  // One refused address is enough to refuse the name: a mix of public and private addresses is a probe, not a
  // mistake.
  if (!first || ![first, ...others].every(({ address }) => rules.permits({ hostname, address, port }, own)))
    throw refusedAddress();
  return [first, ...others];
}

async function ownAddresses(hosts: readonly string[]): Promise<string[]> {
  // A service of ours whose name does not resolve cannot be reached by that name.
  const found = await Promise.all(hosts.map((host) => lookup(host, { all: true }).catch(() => [])));
  return found.flat().map(({ address }) => address);
}

/**
 * Combines the certificate authorities that Node trusts with those of a PEM file.
 *
 * @param pem  its text; if absent, the file is read
 * @throws Error when the file cannot be read or contains no valid certificate
 */
export function trustWithFile(caFile: string, pem?: string): SecureContext {
  try {
    const certificates = (pem ?? readFileSync(caFile, 'utf8')).match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    );
    if (!certificates) throw new Error('it holds no PEM certificate');
    for (const certificate of certificates) new X509Certificate(certificate);
    return createSecureContext({
      ca: [...getCACertificates('default'), ...certificates],
      minVersion: 'TLSv1.2',
    });
  } catch (cause) {
    throw new Error(`The outbound CA file ${caFile} cannot be used: ${(cause as Error).message}`, { cause });
  }
}
