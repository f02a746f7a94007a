import { leadInTurns } from '@bindery/jobs';
import {
  activateHostname,
  beginHostnameCheck,
  CustomHostname,
  databaseNow,
  endHostnameCheck,
  findDueHostnames,
  HostnameCertificate,
  ifListedHostIsFree,
  isHeldByOther,
  proveHostname,
  requestCertificate,
  siteHostProof,
  type CustomHostnameRecord,
  type HostnameCertificateRecord,
} from '@bindery/models';
import { createDnsRecords, type DnsRecords } from '@bindery/outbound';
import type { Config, Logger } from '@bindery/runtime';
import { checkDns } from './checkDns.ts';

const checksAtOnce = 20;
const pauseMs = 5_000;
const leaseMs = 120_000;

type Checking = {
  config: Pick<Config, 'api' | 'hostnames'>;
  records: DnsRecords;
  logger: Logger;
  signal: AbortSignal;
};

/**
 * Checks the DNS records of custom hostnames, and serves their sites there once they are proven and lead to
 * the platform. Any number of processes may call it; one of them checks.
 *
 * @returns a function that stops it
 */
export function startHostnameChecks({
  config,
  logger,
}: {
  config: Config;
  logger: Logger;
}): () => Promise<void> {
  const records = createDnsRecords(config.hostnames.dnsServers);
  return leadInTurns('customHostnames', {
    leaseMs,
    pauseMs,
    turn: async ({ signal }) => checkHostnames({ config, records, logger, signal }),
    logger,
    failure: 'the checks of custom hostnames failed; the next ones follow',
  });
}

/**
 * Checks hostnames that are due, few at once so that a turn is short.
 *
 * @returns whether there may be more
 */
export async function checkHostnames(checking: Checking): Promise<boolean> {
  const due = await findDueHostnames(checksAtOnce);
  await Promise.all(
    due.map(async (claim) => {
      try {
        await checkHostname(claim, checking);
      } catch (error) {
        const { hostname, organization } = claim;
        // A failure must not delay the other claims.
        if (!checking.signal.aborted)
          checking.logger.warn(
            { err: error, hostname, organization },
            'the check of a custom hostname failed; it is repeated',
          );
      }
    }),
  );
  return due.length > 0;
}

async function checkHostname(claim: CustomHostnameRecord, checking: Checking): Promise<void> {
  const begun = await beginHostnameCheck(claim);
  if (!begun) return;
  const { config, records, signal } = checking;
  const isListed = config.api.provenHosts.includes(claim.hostname);
  const [isProven, status] = await Promise.all([
    isProvenNow(begun, checking),
    // The operator vouches for a listed host, which may be reached through a proxy elsewhere.
    isListed ? ('dns_passed' as const) : checkDns(claim.hostname, { records, ...config.hostnames }, signal),
  ]);
  const isReady = isProven && status === 'dns_passed';
  const reached = isReady ? await statusOfReady(begun, config) : status;
  if (reached === 'live') await activateHostname(begun);
  await endHostnameCheck(begun, { status: reached });
  // Afterwards, because an order is only for a name with this status.
  if (reached === 'ssl_pending') await requestCertificate(claim.hostname);
}

/**
 * The status of a hostname that may be served: where the platform gets certificates, it waits for one. An
 * authority may not reach a listed host here, because it may lead to a proxy elsewhere, which has a
 * certificate.
 */
async function statusOfReady(
  { hostname }: CustomHostnameRecord,
  { api: { provenHosts }, hostnames: { acme } }: Checking['config'],
): Promise<'live' | 'ssl_pending' | 'ssl_failed'> {
  if (acme.directoryUrl === undefined || provenHosts.includes(hostname)) return 'live';
  const certificate = await HostnameCertificate.findById(hostname).lean<HostnameCertificateRecord>();
  if (certificate?.expiresAt && certificate.expiresAt > databaseNow()) return 'live';
  return certificate?.hasFailed ? 'ssl_failed' : 'ssl_pending';
}

/** Whether the organization has the hostname: since an earlier check, or because its proof is found now. */
async function isProvenNow(claim: CustomHostnameRecord, checking: Checking): Promise<boolean> {
  if (claim.provenAt) return true;
  if ((await findProof(claim, checking)) !== 'given') return false;
  const { hostname, organization } = claim;
  const { logger } = checking;
  const holder = await CustomHostname.findOne({
    hostname,
    provenAt: { $exists: true },
  }).lean<CustomHostnameRecord>();
  // The holder keeps the hostname while its proof exists. Without it, the name may have changed hands.
  if (holder && (await findProof(holder, checking)) !== 'absent') {
    logger.info(
      { hostname, organization, holder: holder.organization },
      'a proof was found, and the hostname belongs to another organization',
    );
    return false;
  }
  const isListed = checking.config.api.provenHosts.includes(hostname);
  const isProven = await proveHostname(claim, {
    insteadOf: holder ?? undefined,
    condition: isListed ? ifListedHostIsFree({ host: hostname, organization }) : undefined,
  });
  if (isProven)
    logger.info({ hostname, organization, insteadOf: holder?.organization }, 'a custom hostname is proven');
  return isProven;
}

/**
 * Looks for the TXT record of a claim; `unknown` without an answer of DNS. A host that the operator has
 * listed belongs to the first organization that uses it.
 */
async function findProof(
  { hostname, organization }: CustomHostnameRecord,
  { config, records, signal }: Checking,
): Promise<'given' | 'absent' | 'unknown'> {
  if (config.api.provenHosts.includes(hostname))
    return (await isHeldByOther({ host: hostname, organization })) ? 'absent' : 'given';
  const { name, value } = siteHostProof({ host: hostname, organization });
  const texts = await records.texts(name, signal);
  if (!texts) return 'unknown';
  return texts.includes(value) ? 'given' : 'absent';
}
