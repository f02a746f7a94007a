import type { Organization } from '@bindery/contract';
import { Member, Organization as OrganizationModel, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { cutPage, type Page, type PageQuery } from '../../http/paging.ts';
import { afterPlace, newestFirst, placeOf } from '../newestFirst.ts';
import { presentOrganization } from './organization.presenter.ts';

/** The organizations of a user, newest first. A user's memberships are few, so all are read to find them. */
export async function pageOfOrganizations(actor: Actor, { limit, after }: PageQuery): Promise<Page<Organization>> {
  const members = await Member.find({ user: actor.user.id }).lean<MemberRecord[]>();
  const byOrganization = new Map(members.map((member) => [member.organization, member]));
  const mine = { _id: { $in: [...byOrganization.keys()] } };
  const [count, organizations] = await Promise.all([
    OrganizationModel.countDocuments(mine),
    OrganizationModel.find({ $and: [mine, after ? afterPlace(after) : {}] })
      .sort(newestFirst)
      .limit(limit + 1)
      .lean<OrganizationRecord[]>(),
  ]);
  const { items, next } = cutPage(organizations, limit, placeOf);
  return { count, next, items: items.flatMap((organization) => presentFor(organization, byOrganization.get(organization._id))) };
}

function presentFor(organization: OrganizationRecord, member: MemberRecord | undefined): Organization[] {
  return member ? [presentOrganization(organization, member)] : [];
}
