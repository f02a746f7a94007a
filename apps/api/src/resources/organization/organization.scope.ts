import { Id, notFound } from '@bindery/contract';
import { Member, Organization, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';
import { organizationPermissions } from '../../permissions/organization.ts';
import { qualified } from '../../permissions/role.ts';

/** An organization, for its members; for everybody else it does not exist. */
export const inOrganization = organizationAt('/orgs/:organizationId');

/** The same place under the one path that clients look for import runs at. */
export const inImportingOrganization = organizationAt('/org/:organizationId');

function organizationAt<const Path extends string>(path: Path) {
  return root.scope({
    name: 'Organization',
    path,
    params: { organizationId: Id },
    load: async ({ actor, params }) => {
      const found = await findMembership(actor, params.organizationId);
      if (!found) throw notFound('organization', params.organizationId);
      return found;
    },
    permissions: ({ member }) => qualified('organization', organizationPermissions(member)),
  });
}

/** An organization with the caller's membership in it; undefined for who is none of its members. */
export async function findMembership(
  { user }: Actor,
  organizationId: string,
): Promise<{ organization: OrganizationRecord; member: MemberRecord } | undefined> {
  const [organization, member] = await Promise.all([
    Organization.findById(organizationId).lean<OrganizationRecord>(),
    Member.findOne({ user: user.id, organization: organizationId }).lean<MemberRecord>(),
  ]);
  return organization && member ? { organization, member } : undefined;
}
