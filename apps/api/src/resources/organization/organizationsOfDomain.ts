import { emailDomainOf, type Organization } from '@bindery/contract';
import { Organization as OrganizationModel, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { isNarrowed } from '../../permissions/tokenLimits.ts';
import { newestFirst } from '../../records/findPage.ts';
import { findOwnMembers } from '../../records/ownMember.ts';
import { effectiveDomainsField } from './emailDomains.ts';
import { presentOrganization } from './organization.presenter.ts';

/** Nobody chooses from more. */
const most = 100;

/** The organizations that somebody with an e-mail address in a domain may join; none for whoever has theirs elsewhere. */
export async function organizationsOfDomain(actor: Actor, domain: string): Promise<Organization[]> {
  const wanted = domain.toLowerCase();
  // A token for some organizations tells nothing of others.
  if (emailDomainOf(actor.user.email) !== wanted || isNarrowed(actor.limits)) return [];
  const organizations = await OrganizationModel.find({ [effectiveDomainsField()]: wanted })
    .sort(Object.fromEntries(newestFirst))
    .limit(most)
    .lean<OrganizationRecord[]>();
  const ids = organizations.map(({ _id }) => _id);
  const own = await findOwnMembers(actor, ids);
  const memberOf = new Map(own.map((member) => [member.organization, member]));
  return organizations.map((organization) => presentOrganization(organization, memberOf.get(organization._id)));
}
