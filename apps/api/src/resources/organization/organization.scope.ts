import { Id, notFound } from '@bindery/contract';
import { Organization, type OrganizationRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';
import { organizationPermissions } from '../../permissions/organization.ts';
import { qualified } from '../../permissions/role.ts';
import type { ActingMember } from '../../permissions/tokenLimits.ts';
import { findOwnMember } from '../../records/ownMember.ts';
import { versionOf } from '../../records/versionOf.ts';

/** An organization, for its members; for others it does not exist. */
export const inOrganization = organizationAt('/orgs/:organizationId');

/** An organization under the path that clients use for import runs. */
export const inImportingOrganization = organizationAt('/org/:organizationId');

function organizationAt<const Path extends string>(path: Path) {
  return root.scope({
    name: 'Organization',
    path,
    params: { organizationId: Id },
    load: async ({ actor, params }) => {
      const found = await findMembership(actor, params.organizationId);
      // A token for single spaces reaches only these spaces.
      if (!found || found.member.limit?.spaces) throw notFound('organization', params.organizationId);
      return found;
    },
    permissions: ({ member }) => qualified('organization', organizationPermissions(member)),
    version: ({ organization }) => versionOf(Organization, { _id: organization._id }),
  });
}

/**
 * An organization with the caller's membership in it, within the limits of the caller's token; undefined for
 * callers who are not members.
 *
 * @throws forbidden when the organization requires a sign-in through its provider
 */
export async function findMembership(
  actor: Actor,
  organizationId: string,
): Promise<{ organization: OrganizationRecord; member: ActingMember } | undefined> {
  const loading = Organization.findById(organizationId).lean<OrganizationRecord>().exec();
  const [organization, member] = await Promise.all([loading, findOwnMember(actor, organizationId, loading)]);
  return organization && member ? { organization, member } : undefined;
}
