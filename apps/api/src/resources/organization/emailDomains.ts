import { emailDomainOf, type EmailDomainVerification } from '@bindery/contract';
import { siteHostProof, type OrganizationRecord } from '@bindery/models';
import { thePlatform } from '../../platform.ts';

type Domains = Pick<OrganizationRecord, '_id' | 'emailDomains' | 'provenEmailDomains'>;

/** The field of an organization with the e-mail domains that have an effect. */
export function effectiveDomainsField(): 'emailDomains' | 'provenEmailDomains' {
  return thePlatform().config.api.isSingleCompany ? 'emailDomains' : 'provenEmailDomains';
}

/** Whether an e-mail address is in a domain of the organization that has an effect. */
export function hasDomainOf(email: string | undefined, organization: Domains): boolean {
  const domain = emailDomainOf(email);
  return domain !== undefined && organization[effectiveDomainsField()]?.includes(domain) === true;
}

/** Whether a user with an e-mail address has to accept before an organization makes them a member, or has its provider sign in as them. */
export function mustAccept(email: string | undefined, organization: Domains): boolean {
  return !thePlatform().config.api.isSingleCompany && !hasDomainOf(email, organization);
}

/** Whether and how each e-mail domain of an organization is proven. */
export function presentEmailDomains(organization: Domains): EmailDomainVerification[] {
  const verified = organization[effectiveDomainsField()] ?? [];
  return organization.emailDomains.map((domain) => {
    const { name, value } = siteHostProof({ host: domain, organization: organization._id, isEmailDomain: true });
    return { domain, status: verified.includes(domain) ? 'verified' : 'pending', record: { type: 'TXT', name, value } };
  });
}
