import type { Config } from '@bindery/runtime';
import { withTransaction, type ClientSession } from '../database/connection.ts';
import { Organization, type OrganizationRecord } from './organization.ts';
import { SiteHost, soon, type SiteHostRecord } from './siteHost.ts';

/**
 * Which listed e-mail domains take effect: all of them on a platform for a single company, otherwise only
 * proven ones.
 */
export type DomainRule = 'listed' | 'proven';

export function domainRuleOf({ api }: Pick<Config, 'api'>): DomainRule {
  return api.isSingleCompany ? 'listed' : 'proven';
}

/**
 * The rule for sign-in through the SAML providers of organizations. As soon as there are several, also of one
 * company, domains must be proven: the provider of one must not name the users of another.
 */
export async function signInRuleOf(config: Pick<Config, 'api'>): Promise<DomainRule> {
  if (domainRuleOf(config) === 'proven') return 'proven';
  const some = await Organization.find({}, { _id: 1 }).limit(2).lean<{ _id: string }[]>();
  return some.length > 1 ? 'proven' : 'listed';
}

/** The field of an organization with the effective e-mail domains. */
export function effectiveDomainsField(rule: DomainRule): 'emailDomains' | 'provenEmailDomains' {
  return rule === 'listed' ? 'emailDomains' : 'provenEmailDomains';
}

/**
 * Claims the e-mail domains of an organization, ends its claims to others, and schedules checks for the
 * proofs.
 *
 * Call it in the transaction that writes `emailDomains`, before that write.
 */
export async function claimEmailDomains(
  organization: string,
  domains: readonly string[],
  session: ClientSession,
): Promise<void> {
  await Organization.updateOne(
    { _id: organization },
    { $pull: { provenEmailDomains: { $nin: domains } } },
    { session },
  );
  await SiteHost.deleteMany({ organization, isEmailDomain: true, host: { $nin: domains } }, { session });
  if (domains.length === 0) return;
  const named = (host: string) => ({
    host,
    organization,
    sites: [],
    isEmailDomain: true,
    claimedAt: { $ifNull: ['$claimedAt', '$$NOW'] },
    nextCheckAt: soon,
  });
  const claims = domains.map((host) => ({
    updateOne: {
      filter: { _id: `email:${host}/${organization}` },
      update: [{ $set: named(host) }],
      upsert: true,
    },
  }));
  await SiteHost.bulkWrite(claims as never, { session });
}

/**
 * Records the result of a proof check for an e-mail domain. A domain that the organization has given up since
 * stays so.
 */
export async function noteEmailDomain(
  { host, organization }: Pick<SiteHostRecord, 'host' | 'organization'>,
  { isProven }: { isProven: boolean },
): Promise<void> {
  const filter = {
    _id: organization,
    emailDomains: host,
    provenEmailDomains: isProven ? { $ne: host } : host,
  };
  const change = { [isProven ? '$addToSet' : '$pull']: { provenEmailDomains: host }, $inc: { version: 1 } };
  await Organization.updateOne(filter, change);
}

/** Of an organization that an earlier version of the platform stored. */
export const lacksProvenDomains = { provenEmailDomains: { $exists: false } };

/**
 * Claims the e-mail domains of an organization that were stored without a proof: they have no effect until
 * proven.
 */
export async function claimOldEmailDomains(_id: string): Promise<void> {
  await withTransaction(async (session) => {
    const old = await Organization.findOneAndUpdate(
      { _id, ...lacksProvenDomains },
      { $set: { provenEmailDomains: [] } },
      { session },
    ).lean<OrganizationRecord>();
    if (old) await claimEmailDomains(_id, old.emailDomains, session);
  });
}
