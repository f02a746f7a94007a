import { leadInTurns } from '@bindery/jobs';
import {
  beginSiteHostCheck,
  databaseNow,
  endSiteHostCheck,
  ifListedHostIsFree,
  isHeldByOther,
  noteEmailDomain,
  proveSiteHost,
  SiteHost,
  siteHostProof,
  type SiteHostRecord,
} from '@bindery/models';
import { createDnsRecords, createOutbound, type Outbound } from '@bindery/outbound';
import type { Config, Logger } from '@bindery/runtime';

const claimsAtOnce = 20;
const pauseMs = 5_000;
const leaseMs = 120_000;

/** Limits for a page of a few lines: it arrives quickly or not at all. */
const maxBytes = 16 * 1024;
const pageLimits = {
  connectMs: 5_000,
  headersMs: 5_000,
  idleMs: 5_000,
  totalMs: 10_000,
  maxBytes,
  maxDecodedBytes: maxBytes,
};

/**
 * Whether an organization has proven a host, or the operator has `listed` it and it is of no other
 * organization. `unknown` without an answer of DNS or the host: this proves nothing for a new claim, but no
 * organization loses a host by it.
 */
export type Proof = 'given' | 'listed' | 'absent' | 'unknown';
export type FindProof = (
  claim: Pick<SiteHostRecord, 'host' | 'organization' | 'isEmailDomain'>,
  signal: AbortSignal,
) => Promise<Proof>;

/**
 * Checks the proofs of hosts in the `proxy` of sites, and of e-mail domains. Any number of processes may call
 * it; one of them checks.
 *
 * @returns a function that stops it
 */
export function startSiteHostChecks({
  config,
  logger,
}: {
  config: Config;
  logger: Logger;
}): () => Promise<void> {
  const { allow, refused, caFile } = config.outbound;
  const outbound = createOutbound({ allow, refused, caFile });
  const { provenHosts } = config.api;
  const { dnsServers } = config.hostnames;
  const findProof = createFindProof({ outbound, provenHosts, dnsServers });
  const stop = leadInTurns('siteHosts', {
    leaseMs,
    pauseMs,
    turn: async ({ signal }) => checkSiteHosts({ findProof, logger, signal }),
    logger,
    failure: 'a look for proofs of hosts failed; the next one follows',
  });
  return async () => {
    await stop();
    await outbound.close();
  };
}

/**
 * @param dnsServers  DNS servers to use instead of the system's
 * @param originOf  returns the origin for fetching the page of a host, for tests
 */
export function createFindProof({
  outbound,
  provenHosts,
  dnsServers,
  originOf = (host) => `https://${host}`,
}: {
  outbound: Outbound;
  provenHosts: readonly string[];
  dnsServers?: readonly string[];
  originOf?: (host: string) => string;
}): FindProof {
  const { texts: textRecords } = createDnsRecords(dnsServers);
  const onPage = async (url: string, value: string, signal: AbortSignal): Promise<Proof> => {
    try {
      // A redirect may come from an open redirector, which proves nothing.
      const response = await outbound.request({
        url: outbound.checkUrl(url),
        limits: pageLimits,
        redirects: 'none',
        signal,
      });
      if (response.status !== 200) {
        await response.discard();
        return response.status === 404 || response.status === 410 ? 'absent' : 'unknown';
      }
      const text = Buffer.concat(await Array.fromAsync(response.body)).toString();
      return text.split('\n').some((line) => line.trim() === value) ? 'given' : 'absent';
    } catch {
      // An abort says nothing about the host.
      signal.throwIfAborted();
      return 'unknown';
    }
  };

  return async ({ host, organization, isEmailDomain }, signal) => {
    if (!isEmailDomain && provenHosts.includes(host))
      return (await isHeldByOther({ host, organization })) ? 'absent' : 'listed';
    const { name, value, path } = siteHostProof({ host, organization, isEmailDomain });
    const texts = await textRecords(name, signal);
    if (texts?.includes(value)) return 'given';
    if (isEmailDomain) return texts ? 'absent' : 'unknown';
    const page = await onPage(originOf(host) + path, value, signal);
    return page === 'absent' && !texts ? 'unknown' : page;
  };
}

type Checking = { findProof: FindProof; logger: Logger; signal: AbortSignal };

/**
 * Checks claims that are due: one per organization, so that none waits for the many or slow hosts of another
 * one, and few at once, so that a turn is short. Half of the checks are for claims that were checked before:
 * even if new claims keep coming, from organizations created for it, old ones are checked again.
 *
 * @returns whether there may be more
 */
export async function checkSiteHosts({ findProof, logger, signal }: Checking): Promise<boolean> {
  const due = (await Promise.all([false, true].map(dueClaims))).flat();
  await Promise.all(
    due.map(async (claim) => {
      try {
        await checkSiteHost(claim, { findProof, logger, signal });
      } catch (error) {
        // A failure must not delay the other claims.
        if (!signal.aborted)
          logger.warn(
            { err: error, organization: claim.organization },
            'a look for the proof of a host failed; it is repeated',
          );
      }
    }),
  );
  return due.length > 0;
}

/**
 * Finds the claims due for the longest time. Sorted by the last check, because a requested check makes a
 * claim due immediately.
 */
async function dueClaims(isKnown: boolean): Promise<SiteHostRecord[]> {
  return SiteHost.aggregate<SiteHostRecord>([
    { $match: { nextCheckAt: { $lte: databaseNow() }, checkedAt: { $exists: isKnown } } },
    { $sort: { checkedAt: 1, nextCheckAt: 1 } },
    { $group: { _id: '$organization', claim: { $first: '$$ROOT' } } },
    { $sort: { 'claim.checkedAt': 1, 'claim.nextCheckAt': 1 } },
    { $limit: claimsAtOnce / 2 },
    { $replaceRoot: { newRoot: '$claim' } },
  ]);
}

async function checkSiteHost(claim: SiteHostRecord, { findProof, logger, signal }: Checking): Promise<void> {
  const begun = await beginSiteHostCheck(claim);
  if (!begun) return;
  const { host, organization } = claim;
  const proof = await findProof(claim, signal);
  if (claim.isEmailDomain) {
    // Checked repeatedly: an organization that loses a domain loses the control of its addresses.
    if (proof !== 'unknown') await noteEmailDomain(claim, { isProven: proof === 'given' });
  } else if (proof === 'given' || proof === 'listed') {
    const holder = await SiteHost.findOne({ host, provenAt: { $exists: true } }).lean<SiteHostRecord>();
    // The holder keeps the host while its proof exists. Without it, the host may have changed hands.
    const isFree = !holder || (await findProof(holder, signal)) === 'absent';
    if (!isFree)
      logger.info(
        { host, organization, holder: holder.organization },
        'a proof was found, and the host belongs to another organization',
      );
    else if (
      await proveSiteHost(claim, {
        insteadOf: holder ?? undefined,
        condition: proof === 'listed' ? ifListedHostIsFree(claim) : undefined,
      })
    ) {
      logger.info({ host, organization, insteadOf: holder?.organization }, 'a host of sites is proven');
      return;
    }
  }
  await endSiteHostCheck(begun);
}
