import type { Organization } from '@bindery/contract';
import { Member, Organization as OrganizationModel, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { cutPage, type Page, type PageQuery } from '../../http/paging.ts';
import { presentOrganization } from './organization.presenter.ts';

/** The organizations of a user, in the order of their ids: memberships are few, and each is looked up by the index that they share. */
export async function pageOfOrganizations(actor: Actor, { limit, after }: PageQuery): Promise<Page<Organization>> {
  const mine = { user: actor.user.id };
  const [count, members] = await Promise.all([
    Member.countDocuments(mine),
    Member.find({ ...mine, ...(after && { organization: { $gt: String(after[0]) } }) })
      .sort({ organization: 1 })
      .limit(limit + 1)
      .lean<MemberRecord[]>(),
  ]);
  const { items, next } = cutPage(members, limit, (member) => [member.organization]);
  const organizations = await OrganizationModel.find({ _id: { $in: items.map((member) => member.organization) } }).lean<OrganizationRecord[]>();
  const byId = new Map(organizations.map((organization) => [organization._id, organization]));
  return {
    count,
    next,
    items: items.flatMap((member) => {
      const organization = byId.get(member.organization);
      return organization ? [presentOrganization(organization, member)] : [];
    }),
  };
}
