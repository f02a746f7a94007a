import { ApiError, type CustomHostnameStatus } from '@bindery/contract';
import mongoose, { Schema } from 'mongoose';
import { databaseNow } from '../database/databaseClock.ts';
import { isDuplicateKey, withTransaction, type ClientSession } from '../database/connection.ts';
import { soon, type ProofCondition } from './siteHost.ts';
import { HostnameCertificate } from './hostnameCertificate.ts';
import { Site, type SiteRecord } from '../site/site.ts';

/**
 * The claim of an organization to a hostname for a site. Several organizations may claim a hostname; at most
 * one has proven it. Its site is served there once DNS leads to the platform: then `hostname` of the site is
 * set.
 */
export type CustomHostnameRecord = {
  /** `HOSTNAME/ORGANIZATION` */
  _id: string;
  hostname: string;
  organization: string;
  site: string;
  /** The result of the last check; absent before the first one. */
  status?: CustomHostnameStatus;
  /** When the organization proved that it controls the hostname. */
  provenAt?: Date;
  /** Whether the site has the hostname. */
  isActive: boolean;
  checkedAt?: Date;
  nextCheckAt: Date;
  /** Counts the changes of the record and its checks, for `If-Match`. */
  version: number;
  createdBy: string;
  createdAt: Date;
};

const schema = new Schema<CustomHostnameRecord>(
  {
    _id: String,
    hostname: { type: String, required: true },
    organization: { type: String, required: true },
    site: { type: String, required: true },
    status: String,
    provenAt: Date,
    isActive: { type: Boolean, default: false },
    checkedAt: Date,
    nextCheckAt: { type: Date, required: true },
    version: { type: Number, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'customHostnames', versionKey: false },
);
schema.index({ hostname: 1, organization: 1 });
schema.index({ hostname: 1 }, { unique: true, partialFilterExpression: { provenAt: { $exists: true } } });
schema.index({ organization: 1, hostname: 1 });
schema.index({ site: 1 });
schema.index({ nextCheckAt: 1 });

export const CustomHostname = mongoose.model('CustomHostname', schema);

/** The most hostnames of one organization: each is checked again and again. */
export const maxHostnamesPerOrganization = 100;

type Claim = Pick<CustomHostnameRecord, 'hostname' | 'organization' | 'site' | 'createdBy'>;

/**
 * Claims a hostname for a site, or moves the claim of the organization to another one of its sites, and
 * schedules a check. A moved hostname that is active ends the one that the other site had before.
 *
 * @throws precondition_failed when the organization has too many hostnames
 */
export async function claimHostname({ hostname, ...claim }: Claim): Promise<CustomHostnameRecord> {
  const _id = `${hostname}/${claim.organization}`;
  return withTransaction(async (session) => {
    const known = await CustomHostname.findById(_id).session(session).lean<CustomHostnameRecord>();
    if (!known) {
      await refuseTooMany(claim.organization, session);
      const record = { ...claim, _id, hostname, createdAt: databaseNow(), nextCheckAt: databaseNow() };
      const [made] = await CustomHostname.create([record], { session });
      return made!.toObject() as CustomHostnameRecord;
    }
    if (known.site === claim.site) return known;
    if (known.isActive) {
      await takeFromSite(known, session);
      await endActive(claim.site, session);
      await giveToSite({ site: claim.site, hostname }, session);
    }
    return (await write(_id, [{ $set: { site: claim.site } }], session)) ?? known;
  });
}

async function refuseTooMany(organization: string, session: ClientSession): Promise<void> {
  const count = await CustomHostname.countDocuments(
    { organization },
    { session, limit: maxHostnamesPerOrganization },
  );
  if (count < maxHostnamesPerOrganization) return;
  throw new ApiError(
    'precondition_failed',
    `The organization has ${maxHostnamesPerOrganization} custom hostnames, which is the limit.`,
    { action: 'Delete one that is no longer used.' },
  );
}

/** Ends claims: their sites lose the hostnames, and other claims to these are checked soon. */
export async function endHostnames(
  filter: Pick<CustomHostnameRecord, '_id'> | Pick<CustomHostnameRecord, 'site'>,
  session: ClientSession,
): Promise<void> {
  const claims = await CustomHostname.find(filter).session(session).lean<CustomHostnameRecord[]>();
  for (const claim of claims) {
    const { _id, hostname, isActive, provenAt } = claim;
    await CustomHostname.deleteOne({ _id }, { session });
    if (isActive) await takeFromSite(claim, session);
    if (provenAt) await HostnameCertificate.deleteOne({ _id: hostname }, { session });
    await CustomHostname.updateMany({ hostname }, [{ $set: { nextCheckAt: soon } }], {
      session,
      updatePipeline: true,
    });
  }
}

/** Schedules a check: at once, or ten seconds after the last one. */
export async function requestHostnameCheck(
  { _id }: Pick<CustomHostnameRecord, '_id'>,
  session?: ClientSession,
): Promise<void> {
  await write(_id, [{ $set: { nextCheckAt: soon } }], session);
}

/** Lists claims whose check is due for the longest time, one of each organization. */
export async function findDueHostnames(limit: number): Promise<CustomHostnameRecord[]> {
  return CustomHostname.aggregate<CustomHostnameRecord>([
    { $match: { nextCheckAt: { $lte: databaseNow() } } },
    { $sort: { nextCheckAt: 1 } },
    { $limit: limit * maxHostnamesPerOrganization },
    { $group: { _id: '$organization', claim: { $first: '$$ROOT' } } },
    { $sort: { 'claim.nextCheckAt': 1 } },
    { $limit: limit },
    { $replaceRoot: { newRoot: '$claim' } },
  ]);
}

/** A check that died is repeated after this time. */
const checkSeconds = 120;

/** Records the start of a check. @returns the present claim; undefined when it has ended */
export async function beginHostnameCheck({
  _id,
}: Pick<CustomHostnameRecord, '_id'>): Promise<CustomHostnameRecord | undefined> {
  const nextCheckAt = { $dateAdd: { startDate: '$$NOW', unit: 'second', amount: checkSeconds } };
  return (await write(_id, [{ $set: { nextCheckAt } }])) ?? undefined;
}

const shortestPauseMs = 10_000;
const longestPauseMs = 86_400_000;

/**
 * Records the result of a check and schedules the next one: after as long as the organization has waited, at
 * most a day. A check that was requested in between stays due.
 *
 * @param status  absent when DNS did not answer: the status stays
 */
export async function endHostnameCheck(
  { _id, nextCheckAt }: CustomHostnameRecord,
  { status }: { status: CustomHostnameStatus | undefined },
): Promise<void> {
  const waitedMs = { $subtract: ['$$NOW', '$createdAt'] };
  const pauseMs = { $min: [longestPauseMs, { $max: [shortestPauseMs, waitedMs] }] };
  const isUndisturbed = { $eq: ['$nextCheckAt', nextCheckAt] };
  await write(_id, [
    {
      $set: {
        ...(status && { status }),
        checkedAt: '$$NOW',
        nextCheckAt: { $cond: [isUndisturbed, { $add: ['$$NOW', pauseMs] }, '$nextCheckAt'] },
      },
    },
  ]);
}

/**
 * Records that an organization has proven a hostname.
 *
 * @param insteadOf  the claim that was proven before and is not any more: its site loses the hostname
 * @param condition  of the proof, checked in its transaction
 * @returns whether the claim is proven now: it may have ended, or another one may be proven
 */
export async function proveHostname(
  { _id }: Pick<CustomHostnameRecord, '_id'>,
  { insteadOf, condition }: { insteadOf: CustomHostnameRecord | undefined; condition?: ProofCondition },
): Promise<boolean> {
  try {
    return await withTransaction(async (session) => {
      if (condition && !(await condition(session))) return false;
      if (insteadOf) await takeProof(insteadOf, session);
      return (await write(_id, [{ $set: { provenAt: '$$NOW' } }], session)) !== null;
    });
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function takeProof({ _id }: CustomHostnameRecord, session: ClientSession): Promise<void> {
  const lost = await CustomHostname.findById(_id).session(session).lean<CustomHostnameRecord>();
  if (lost?.isActive) await takeFromSite(lost, session);
  await write(_id, [{ $set: { isActive: false, nextCheckAt: soon } }, { $unset: 'provenAt' }], session);
}

/**
 * Gives a proven hostname to its site, whose URLs lead there from now on. The hostname that the site had
 * before ends.
 */
export async function activateHostname({ _id }: Pick<CustomHostnameRecord, '_id'>): Promise<void> {
  await withTransaction(async (session) => {
    const claim = await CustomHostname.findById(_id).session(session).lean<CustomHostnameRecord>();
    if (!claim?.provenAt || claim.isActive) return;
    await endActive(claim.site, session);
    await giveToSite(claim, session);
    await write(_id, [{ $set: { isActive: true } }], session);
  });
}

/** Records what became of the certificate of a hostname, between two checks. */
export async function noteCertificate(
  { _id }: Pick<CustomHostnameRecord, '_id'>,
  status: Extract<CustomHostnameStatus, 'live' | 'ssl_failed'>,
): Promise<void> {
  await write(_id, [{ $set: { status } }]);
}

type SiteHostname = Pick<CustomHostnameRecord, 'site' | 'hostname'>;

/** Ends the claim to the hostname that a site has. */
async function endActive(site: SiteRecord['_id'], session: ClientSession): Promise<void> {
  const former = await CustomHostname.findOneAndDelete(
    { site, isActive: true },
    { session },
  ).lean<CustomHostnameRecord>();
  if (former) await HostnameCertificate.deleteOne({ _id: former.hostname }, { session });
}

async function giveToSite({ site, hostname }: SiteHostname, session: ClientSession): Promise<void> {
  await Site.updateOne({ _id: site }, { $set: { hostname }, $inc: { version: 1 } }, { session });
}

async function takeFromSite({ site, hostname }: SiteHostname, session: ClientSession): Promise<void> {
  const change = { $unset: { hostname: 1 }, $inc: { version: 1 } };
  await Site.updateOne({ _id: site, hostname }, change, { session });
}

async function write(
  _id: string,
  pipeline: object[],
  session?: ClientSession,
): Promise<CustomHostnameRecord | null> {
  const counted = [...pipeline, { $set: { version: { $add: ['$version', 1] } } }];
  return CustomHostname.findOneAndUpdate({ _id }, counted as never, {
    session: session ?? null,
    updatePipeline: true,
    returnDocument: 'after',
  }).lean<CustomHostnameRecord>();
}
