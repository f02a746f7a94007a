import { ApiError } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import { isDuplicateKey, withTransaction, type ClientSession } from '../database/connection.ts';
import { Site, type SiteRecord } from '../site/site.ts';

/**
 * The claim of an organization to the host in the `proxy` of its sites. Several organizations may claim a
 * host; at most one has proven it, and only its sites are served there. With `isEmailDomain`, the record is a
 * claim to a domain of e-mail addresses (emailDomains.ts).
 */
export type SiteHostRecord = {
  /** `HOST/ORGANIZATION`, or `email:DOMAIN/ORGANIZATION` */
  _id: string;
  host: string;
  organization: string;
  /** The sites that name the host; the claim ends with the last of them. */
  sites: string[];
  /**
   * The claim is to e-mail addresses, without sites. The organization's record says whether it is proven,
   * because several may prove the same domain.
   */
  isEmailDomain?: true;
  claimedAt: Date;
  provenAt?: Date;
  /** The last proof check. */
  checkedAt?: Date;
  /** The next proof check; absent once the host is proven. */
  nextCheckAt?: Date;
};

const siteHostSchema = new Schema<SiteHostRecord>(
  {
    _id: String,
    host: { type: String, required: true },
    organization: { type: String, required: true },
    sites: { type: [String], required: true },
    isEmailDomain: Boolean as never,
    claimedAt: { type: Date, required: true },
    provenAt: Date,
    checkedAt: Date,
    nextCheckAt: Date,
  },
  { collection: 'siteHosts', versionKey: false },
);
siteHostSchema.index({ host: 1, organization: 1 });
siteHostSchema.index({ organization: 1, host: 1 });
siteHostSchema.index({ host: 1 }, { unique: true, partialFilterExpression: { provenAt: { $exists: true } } });
siteHostSchema.index({ nextCheckAt: 1 }, { partialFilterExpression: { nextCheckAt: { $exists: true } } });

export const SiteHost = mongoose.model('SiteHost', siteHostSchema);

/** The shortest pause between two checks of the same host, however often a check is requested. */
const leastPauseSeconds = 10;
/** The time of a requested check, in a pipeline. */
export const soon = {
  $max: ['$$NOW', { $dateAdd: { startDate: '$checkedAt', unit: 'second', amount: leastPauseSeconds } }],
};
const unproven = { provenAt: { $exists: false } };

/**
 * The proof of a host: a TXT record with this name and value, or a page at this path that has the value as
 * one of its lines. The value names the organization and need not be secret: only a person who controls the
 * host can put it there. An e-mail domain is proven only by the record, because control of a web server does
 * not imply control of its domain.
 */
export function siteHostProof({
  host,
  organization,
  isEmailDomain,
}: Pick<SiteHostRecord, 'host' | 'organization' | 'isEmailDomain'>) {
  // Different records: an organization that lets an agency publish the site of its host does not let it claim
  // the people with an address there.
  const value = isEmailDomain
    ? `bindery-email-domain=${organization}`
    : `bindery-organization=${organization}`;
  return { name: `_bindery.${host}`, value, path: '/.well-known/bindery-challenge' };
}

/** Returns the host of a site's proxy such as `www.example.com/docs`. */
export function hostOfProxy(proxy: string): string {
  return proxy.split('/', 1)[0] ?? '';
}

type ProxiedSite = Pick<SiteRecord, '_id' | 'organization' | 'proxy' | 'pendingProxy'>;

/**
 * Claims the host of a proxy for a site, gives up the host of the site's previous proxy, and schedules a
 * proof check for an unproven host.
 *
 * @param proxy  undefined only gives up the previous host
 * @param isOld  the site has the proxy already
 * @returns the fields of the site, for the caller to write in the same transaction
 * @throws precondition_failed when too many hosts of the organization wait for a proof, since each is checked
 *   repeatedly
 */
export async function claimProxy(
  site: ProxiedSite,
  proxy: string | undefined,
  session: ClientSession,
  { isOld = false }: { isOld?: boolean } = {},
): Promise<Record<'proxy' | 'pendingProxy', string | undefined>> {
  const before = site.proxy ?? site.pendingProxy;
  const host = proxy === undefined ? undefined : hostOfProxy(proxy);
  if (before !== undefined && hostOfProxy(before) !== host)
    await releaseHost(site, hostOfProxy(before), session);
  if (host === undefined) return { proxy: undefined, pendingProxy: undefined };
  if (!isOld && !(await SiteHost.exists({ _id: claimId(host, site) }).session(session)))
    await refuseTooMany(site, session);
  const claim = await SiteHost.findOneAndUpdate(
    { _id: claimId(host, site) },
    [
      {
        $set: {
          host,
          organization: site.organization,
          sites: { $setUnion: [{ $ifNull: ['$sites', []] }, [site._id]] },
          claimedAt: { $ifNull: ['$claimedAt', '$$NOW'] },
          nextCheckAt: { $cond: [{ $gt: ['$provenAt', null] }, '$$REMOVE', soon] },
        },
      },
    ],
    { upsert: true, session, updatePipeline: true, returnDocument: 'after' },
  ).lean<SiteHostRecord>();
  return claim?.provenAt ? { proxy, pendingProxy: undefined } : { proxy: undefined, pendingProxy: proxy };
}

/** The most hosts of one organization that may wait for a proof. */
const mostOpenClaims = 50;

async function refuseTooMany({ organization }: ProxiedSite, session: ClientSession): Promise<void> {
  const open = { organization, ...unproven, isEmailDomain: { $exists: false } };
  if ((await SiteHost.countDocuments(open, { session, limit: mostOpenClaims })) < mostOpenClaims) return;
  throw new ApiError(
    'precondition_failed',
    `The organization has ${mostOpenClaims} hosts that wait for a proof, which is the limit.`,
    {
      action:
        'Prove one of them, or take its `proxy` from its sites; `proxy.verification` of a site tells how its host is proven.',
    },
  );
}

function claimId(host: string, { organization }: Pick<SiteHostRecord, 'organization'>): string {
  return `${host}/${organization}`;
}

async function releaseHost(site: ProxiedSite, host: string, session: ClientSession): Promise<void> {
  const _id = claimId(host, site);
  await SiteHost.updateOne({ _id }, { $pull: { sites: site._id } }, { session });
  const ended = await SiteHost.findOneAndDelete(
    { _id, sites: { $size: 0 } },
    { session },
  ).lean<SiteHostRecord>();
  // Claims that waited for this one to end are checked soon, before their next regular check.
  if (ended?.provenAt)
    await SiteHost.updateMany({ host, ...unproven }, [{ $set: { nextCheckAt: soon } }], {
      session,
      updatePipeline: true,
    });
}

/** A check that died is repeated after this time. */
const lookSeconds = 120;

/**
 * Records the start of a proof check. @returns the present claim; undefined when there is nothing left to
 * check
 */
export async function beginSiteHostCheck({
  _id,
}: Pick<SiteHostRecord, '_id'>): Promise<SiteHostRecord | undefined> {
  const nextCheckAt = { $dateAdd: { startDate: '$$NOW', unit: 'second', amount: lookSeconds } };
  const begun = await SiteHost.findOneAndUpdate(
    { _id, ...unproven },
    [{ $set: { checkedAt: '$$NOW', nextCheckAt } }],
    {
      updatePipeline: true,
      returnDocument: 'after',
    },
  ).lean<SiteHostRecord>();
  return begun ?? undefined;
}

/**
 * Records that a check found no proof, and schedules the next one: after as long as the organization has been
 * waiting, at most a day. A check requested in between stays due.
 */
export async function endSiteHostCheck({ _id, nextCheckAt }: SiteHostRecord): Promise<void> {
  const waitedMs = { $subtract: ['$$NOW', '$claimedAt'] };
  const pauseMs = { $min: [86_400_000, { $max: [leastPauseSeconds * 1000, waitedMs] }] };
  await SiteHost.updateOne(
    { _id, ...unproven, nextCheckAt },
    [{ $set: { nextCheckAt: { $add: ['$$NOW', pauseMs] } } }],
    {
      updatePipeline: true,
    },
  );
}

/** Whether a transaction may prove a host. */
export type ProofCondition = (session: ClientSession) => Promise<boolean>;

/**
 * Gives a host to the organization that has proven it: from now on URLs lead to its sites there.
 *
 * @param insteadOf  the previously proven claim, which is unproven now
 * @param condition  of the proof, checked in its transaction
 * @returns whether this call proved the claim; false when it does not exist any more, or when another
 *   organization has the host
 */
export async function proveSiteHost(
  { host, organization }: Pick<SiteHostRecord, 'host' | 'organization'>,
  { insteadOf, condition }: { insteadOf?: SiteHostRecord | undefined; condition?: ProofCondition } = {},
): Promise<boolean> {
  const _id = claimId(host, { organization });
  try {
    return await withTransaction(async (session) => {
      if (condition && !(await condition(session))) return false;
      if (!(await SiteHost.exists({ _id, ...unproven }).session(session))) return false;
      if (insteadOf) await takeHost(insteadOf, session);
      await giveHost(_id, session);
      return true;
    });
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function giveHost(_id: string, session: ClientSession): Promise<void> {
  const claim = await change({ _id }, [{ $set: { provenAt: '$$NOW' } }, { $unset: 'nextCheckAt' }], session);
  await moveProxies(claim, { from: 'pendingProxy', to: 'proxy' }, session);
}

async function takeHost({ _id, provenAt }: SiteHostRecord, session: ClientSession): Promise<void> {
  const lost = await change(
    { _id, provenAt },
    [{ $set: { nextCheckAt: soon } }, { $unset: 'provenAt' }],
    session,
  );
  await moveProxies(lost, { from: 'proxy', to: 'pendingProxy' }, session);
}

async function change(
  filter: object,
  pipeline: object[],
  session: ClientSession,
): Promise<SiteHostRecord | null> {
  return SiteHost.findOneAndUpdate(filter, pipeline as never, {
    session,
    updatePipeline: true,
    returnDocument: 'after',
  }).lean<SiteHostRecord>();
}

type ProxyField = 'proxy' | 'pendingProxy';

async function moveProxies(
  claim: SiteHostRecord | null,
  { from, to }: { from: ProxyField; to: ProxyField },
  session: ClientSession,
): Promise<void> {
  if (!claim) return;
  const moved = [{ $set: { [to]: `$${from}`, version: { $add: ['$version', 1] } } }, { $unset: from }];
  await Site.updateMany({ _id: { $in: claim.sites }, [from]: { $exists: true } }, moved as never, {
    session,
    updatePipeline: true,
  });
}

/** Finds sites whose proxies an earlier version of the platform stored without a claim to their host. */
async function findOldProxies(): Promise<{ old: SiteRecord[]; claims: SiteHostRecord[] }> {
  const proxied = await Site.find({ proxy: { $exists: true } }).lean<SiteRecord[]>();
  const claims = await SiteHost.find({ host: { $in: [...new Set(proxied.map(namedHost))] } }).lean<
    SiteHostRecord[]
  >();
  const claimed = new Set(claims.flatMap(({ host, sites }) => sites.map((site) => `${host}/${site}`)));
  return { old: proxied.filter((site) => !claimed.has(`${namedHost(site)}/${site._id}`)), claims };
}

export async function countOldProxies(): Promise<number> {
  return (await findOldProxies()).old.length;
}

/**
 * Claims the hosts of proxies that an earlier version of the platform stored without a proof. If the
 * published sites that name a host belong to one organization, it keeps the host until another one proves it;
 * otherwise the host must be proven.
 *
 * @returns the number of those proxies
 */
export async function claimOldProxies(): Promise<number> {
  const { old, claims } = await findOldProxies();
  if (old.length === 0) return 0;
  const claiming = await Site.find({ _id: { $in: claims.flatMap(({ sites }) => sites) } }).lean<
    SiteRecord[]
  >();
  const named = Map.groupBy([...old, ...claiming], namedHost);
  for (const { _id, organization, ...site } of old) {
    const published = named.get(namedHost(site))?.filter(({ isPublished }) => isPublished) ?? [];
    const isAlone = published.length > 0 && published.every((other) => other.organization === organization);
    await withTransaction((session) => claimOldProxy(_id, { isAlone }, session));
  }
  return old.length;
}

function namedHost({ proxy, pendingProxy }: Pick<SiteRecord, 'proxy' | 'pendingProxy'>): string {
  return hostOfProxy(proxy ?? pendingProxy ?? '');
}

async function claimOldProxy(
  _id: string,
  { isAlone }: { isAlone: boolean },
  session: ClientSession,
): Promise<void> {
  const site = await Site.findById(_id).session(session).lean<SiteRecord>();
  if (site?.proxy === undefined) return;
  const { pendingProxy } = await claimProxy(site, site.proxy, session, { isOld: true });
  if (pendingProxy === undefined) return;
  await Site.updateOne(
    { _id },
    { $set: { pendingProxy }, $unset: { proxy: 1 }, $inc: { version: 1 } },
    { session },
  );
  const host = hostOfProxy(pendingProxy);
  const isFree = !(await SiteHost.exists({ host, provenAt: { $exists: true } }).session(session));
  if (isAlone && isFree) await giveHost(claimId(host, site), session);
}
