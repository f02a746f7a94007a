import type { Organization } from '@bindery/contract';
import { Organization as OrganizationModel, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import type { Platform } from '../../platform.ts';
import { findPage } from '../../records/findPage.ts';
import { findOwnMembers } from '../../records/ownMember.ts';
import { presentOrganization } from './organization.presenter.ts';

/** The organizations of a user, newest first. Loads all memberships of the user, which are few. */
export async function pageOfOrganizations(
  { platform, actor }: { platform: Platform; actor: Actor },
  query: PageQuery,
): Promise<Page<Organization>> {
  const members = await findOwnMembers(actor);
  const byOrganization = new Map(members.map((member) => [member.organization, member]));
  const { rows, ...page } = await findPage<OrganizationRecord>(
    OrganizationModel,
    { _id: { $in: [...byOrganization.keys()] } },
    query,
  );
  const items = rows.flatMap((organization) => {
    const member = byOrganization.get(organization._id);
    return member ? [presentOrganization(organization, { platform, member })] : [];
  });
  return { ...page, items };
}
