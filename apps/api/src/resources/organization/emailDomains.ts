import { emailDomainOf, type EmailDomainVerification } from '@bindery/contract';
import { siteHostProof, type OrganizationRecord } from '@bindery/models';
import type { Config } from '@bindery/runtime';

type Domains = Pick<OrganizationRecord, '_id' | 'emailDomains' | 'provenEmailDomains'>;
type DomainsUnderRule = { organization: Domains; domainRule: DomainRule };

/**
 * Which e-mail domains have an effect: all that an organization lists on the platform of a single company,
 * elsewhere only proven ones.
 */
export type DomainRule = 'listed' | 'proven';

export function domainRuleOf({ api }: Pick<Config, 'api'>): DomainRule {
  return api.isSingleCompany ? 'listed' : 'proven';
}

/** The field of an organization with the e-mail domains that have an effect. */
export function effectiveDomainsField(rule: DomainRule): 'emailDomains' | 'provenEmailDomains' {
  return rule === 'listed' ? 'emailDomains' : 'provenEmailDomains';
}

/** Whether an e-mail address is in a domain of the organization that has an effect. */
export function hasDomainOf(
  email: string | undefined,
  { organization, domainRule }: DomainsUnderRule,
): boolean {
  const domain = emailDomainOf(email);
  return domain !== undefined && organization[effectiveDomainsField(domainRule)]?.includes(domain) === true;
}

/**
 * Whether a user with this e-mail address has to accept before an organization may make them a member, or its
 * provider may sign in as them.
 */
export function mustAccept(email: string | undefined, organization: DomainsUnderRule): boolean {
  return organization.domainRule === 'proven' && !hasDomainOf(email, organization);
}

/** Whether and how each e-mail domain of an organization is proven. */
export function presentEmailDomains({
  organization,
  domainRule,
}: DomainsUnderRule): EmailDomainVerification[] {
  const verified = organization[effectiveDomainsField(domainRule)] ?? [];
  return organization.emailDomains.map((domain) => {
    const { name, value } = siteHostProof({
      host: domain,
      organization: organization._id,
      isEmailDomain: true,
    });
    return {
      domain,
      status: verified.includes(domain) ? 'verified' : 'pending',
      record: { type: 'TXT', name, value },
    };
  });
}
