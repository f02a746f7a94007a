import { emailDomainOf, type EmailDomainVerification } from '@bindery/contract';
import {
  effectiveDomainsField,
  siteHostProof,
  type DomainRule,
  type OrganizationRecord,
} from '@bindery/models';

type Domains = Pick<OrganizationRecord, '_id' | 'emailDomains' | 'provenEmailDomains'>;
type DomainsUnderRule = { organization: Domains; domainRule: DomainRule };

/** Whether an e-mail address is in an effective domain of the organization. */
export function hasDomainOf(
  email: string | undefined,
  { organization, domainRule }: DomainsUnderRule,
): boolean {
  const domain = emailDomainOf(email);
  return domain !== undefined && organization[effectiveDomainsField(domainRule)]?.includes(domain) === true;
}

/**
 * Whether a user with this e-mail address must accept before an organization may make them a member, or
 * before its provider may sign in as them.
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
