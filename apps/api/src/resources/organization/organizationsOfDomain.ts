import { emailDomainOf, type Organization } from '@bindery/contract';
import { Member, Organization as OrganizationModel, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { newestFirst } from '../findPage.ts';
import { presentOrganization } from './organization.presenter.ts';

/** Nobody chooses from more. */
const most = 100;

/** The organizations that somebody with an e-mail address in a domain may join; none for whoever has theirs elsewhere. */
export async function organizationsOfDomain(actor: Actor, domain: string): Promise<Organization[]> {
  const wanted = domain.toLowerCase();
  if (emailDomainOf(actor.user.email) !== wanted) return [];
  const organizations = await OrganizationModel.find({ emailDomains: wanted })
    .sort(Object.fromEntries(newestFirst))
    .limit(most)
    .lean<OrganizationRecord[]>();
  const ids = organizations.map(({ _id }) => _id);
  const own = await Member.find({ user: actor.user.id, organization: { $in: ids } }).lean<MemberRecord[]>();
  const memberOf = new Map(own.map((member) => [member.organization, member]));
  return organizations.map((organization) => presentOrganization(organization, memberOf.get(organization._id)));
}
