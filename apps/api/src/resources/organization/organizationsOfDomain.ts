import { emailDomainOf, type Organization } from '@bindery/contract';
import {
  domainRuleOf,
  effectiveDomainsField,
  Organization as OrganizationModel,
  type OrganizationRecord,
} from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import type { Platform } from '../../platform.ts';
import { isNarrowed } from '../../permissions/tokenLimits.ts';
import { newestFirst } from '../../records/findPage.ts';
import { findOwnMembers } from '../../records/ownMember.ts';
import { presentOrganization } from './organization.presenter.ts';

/** Maximum number of organizations in an answer; no user chooses from more. */
const most = 100;

/**
 * The organizations that users with an e-mail address in a domain may join; none if the caller's address is
 * in another domain.
 */
export async function organizationsOfDomain(
  domain: string,
  { platform, actor }: { platform: Platform; actor: Actor },
): Promise<Organization[]> {
  const wanted = domain.toLowerCase();
  // A token limited to some organizations must not reveal others.
  if (emailDomainOf(actor.user.email) !== wanted || isNarrowed(actor.limits)) return [];
  const organizations = await OrganizationModel.find({
    [effectiveDomainsField(domainRuleOf(platform.config))]: wanted,
  })
    .sort(Object.fromEntries(newestFirst))
    .limit(most)
    .lean<OrganizationRecord[]>();
  const ids = organizations.map(({ _id }) => _id);
  const own = await findOwnMembers(actor, ids);
  const memberOf = new Map(own.map((member) => [member.organization, member]));
  return organizations.map((organization) =>
    presentOrganization(organization, { platform, member: memberOf.get(organization._id) }),
  );
}
