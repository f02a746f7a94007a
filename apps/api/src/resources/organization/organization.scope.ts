import { Id, notFound } from '@bindery/contract';
import { Member, Organization, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { organizationPermissions } from '../../permissions/organization.ts';
import { qualified } from '../../permissions/role.ts';

/** An organization, for its members; for everybody else it does not exist. */
export const inOrganization = root.scope({
  name: 'Organization',
  path: '/orgs/:organizationId',
  params: { organizationId: Id },
  load: async ({ actor, params }) => {
    const [organization, member] = await Promise.all([
      Organization.findById(params.organizationId).lean<OrganizationRecord>(),
      Member.findOne({ user: actor.user.id, organization: params.organizationId }).lean<MemberRecord>(),
    ]);
    if (!organization || !member) throw notFound('organization', params.organizationId);
    return { organization, member };
  },
  permissions: ({ member }) => qualified('organization', organizationPermissions(member)),
});
