import { leadInTurns } from '@bindery/jobs';
import {
  beginSiteHostCheck,
  databaseNow,
  endSiteHostCheck,
  noteEmailDomain,
  proveSiteHost,
  SiteHost,
  siteHostProof,
  type SiteHostRecord,
} from '@bindery/models';
import { createOutbound, createTextRecords, type Outbound } from '@bindery/outbound';
import type { Config, Logger } from '@bindery/runtime';

const claimsAtOnce = 20;
const pauseMs = 5_000;
const leaseMs = 120_000;

/** A page of a few lines, at once or not at all. */
const maxBytes = 16 * 1024;
const pageLimits = { connectMs: 5_000, headersMs: 5_000, idleMs: 5_000, totalMs: 10_000, maxBytes, maxDecodedBytes: maxBytes };

/**
 * Whether an organization proves that a host is its own, or the operator has listed the host. `unknown` where DNS or the host gave no answer: for a claim
 * that is as good as no proof, but nobody loses a host by it.
 */
export type Proof = 'given' | 'absent' | 'unknown';
export type FindProof = (claim: Pick<SiteHostRecord, 'host' | 'organization' | 'isEmailDomain'>, signal: AbortSignal) => Promise<Proof>;

/**
 * Looks for the proofs of hosts that sites name in their `proxy`, and of domains of e-mail addresses. Any number may run; one of them looks.
 *
 * @returns a function that stops it
 */
export function startSiteHostChecks({ config, logger }: { config: Config; logger: Logger }): () => Promise<void> {
  const { allow, refused, caFile } = config.outbound;
  const outbound = createOutbound({ allow, refused, ...(caFile && { caFile }) });
  const findProof = createFindProof({ outbound, provenHosts: config.api.provenHosts });
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
 * @param dnsServers  `address:port` of other DNS servers than those of the system, for tests
 * @param originOf    where the page of a host is asked for, for tests
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
  const textRecords = createTextRecords(dnsServers);
  const onPage = async (url: string, value: string, signal: AbortSignal): Promise<Proof> => {
    try {
      // A redirect could be that of a page which sends everybody wherever they wish.
      const response = await outbound.request({ url: outbound.checkUrl(url), limits: pageLimits, redirects: 'none', signal });
      if (response.status !== 200) {
        await response.discard();
        return response.status === 404 || response.status === 410 ? 'absent' : 'unknown';
      }
      const text = Buffer.concat(await Array.fromAsync(response.body)).toString();
      return text.split('\n').some((line) => line.trim() === value) ? 'given' : 'absent';
    } catch {
      // A stop tells nothing about a host.
      signal.throwIfAborted();
      return 'unknown';
    }
  };

  return async ({ host, organization, isEmailDomain }, signal) => {
    if (!isEmailDomain && provenHosts.includes(host)) return 'given';
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
 * Looks at claims that are due: one of each organization, so that nobody waits for the many or slow hosts of another one, and so few that a turn is
 * short. Half of the looks are for claims that were looked at before: however many new ones somebody makes, with organizations made for it, the others
 * are looked at again.
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
        // The others shall not wait for this one.
        if (!signal.aborted)
          logger.warn({ err: error, organization: claim.organization }, 'a look for the proof of a host failed; it is repeated');
      }
    }),
  );
  return due.length > 0;
}

/** The claims that have waited longest. The time of the last look decides: whoever asks for a look makes a claim due at once. */
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
    // Looked at again and again: who loses a domain loses the power over its addresses.
    if (proof !== 'unknown') await noteEmailDomain(claim, { isProven: proof === 'given' });
  } else if (proof === 'given') {
    const holder = await SiteHost.findOne({ host, provenAt: { $exists: true } }).lean<SiteHostRecord>();
    // Who has proven a host keeps it while the proof is there. Once it is gone, the host may have changed hands.
    const isFree = !holder || (await findProof(holder, signal)) === 'absent';
    if (!isFree)
      logger.info({ host, organization, holder: holder.organization }, 'a proof was found, and the host belongs to another organization');
    else if (await proveSiteHost(claim, { insteadOf: holder ?? undefined })) {
      logger.info({ host, organization, ...(holder && { insteadOf: holder.organization }) }, 'a host of sites is proven');
      return;
    }
  }
  await endSiteHostCheck(begun);
}
