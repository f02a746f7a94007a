import type { Organization } from '@bindery/contract';
import { Organization as OrganizationModel, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { findPage } from '../../records/findPage.ts';
import { findOwnMembers } from '../../records/ownMember.ts';
import { presentOrganization } from './organization.presenter.ts';

/** The organizations of a user, newest first. A user's memberships are few, so all are read to find them. */
export async function pageOfOrganizations(actor: Actor, query: PageQuery): Promise<Page<Organization>> {
  const members = await findOwnMembers(actor);
  const byOrganization = new Map(members.map((member) => [member.organization, member]));
  const { rows, ...page } = await findPage<OrganizationRecord>(OrganizationModel, { _id: { $in: [...byOrganization.keys()] } }, query);
  return { ...page, items: rows.flatMap((organization) => presentFor(organization, byOrganization.get(organization._id))) };
}

function presentFor(organization: OrganizationRecord, member: MemberRecord | undefined): Organization[] {
  return member ? [presentOrganization(organization, member)] : [];
}
