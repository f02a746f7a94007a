import { Id, notFound } from '@bindery/contract';
import { Invite, Organization, type InviteRecord, type OrganizationRecord } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/** A link invite, for members who know its id; when links are switched off, for admins only. */
export const inInvite = inOrganization.scope({
  name: 'Invite',
  path: '/link-invites/:inviteId',
  params: { inviteId: Id },
  load: async ({ organization, params, can }) => {
    if (organization.inviteLinks === false && !can['organization.admin'])
      throw notFound('invite', params.inviteId);
    return { invite: await loadInvite(organization._id, params.inviteId) };
  },
  permissions: () => ({}),
  version: ({ invite }) => versionOf(Invite, { _id: invite._id }),
});

/** A link invite for any user who knows its id, members or not. */
export const withInvite = root.scope({
  name: 'Invite',
  path: '/orgs/:organizationId/invites/:inviteId',
  params: { organizationId: Id, inviteId: Id },
  load: async ({ params }) => ({ invite: await loadInvite(params.organizationId, params.inviteId) }),
  permissions: () => ({}),
  version: ({ invite }) => versionOf(Invite, { _id: invite._id }),
});

/** An organization for any user who knows its id, with routes for becoming a member only. */
export const outsideOrganization = root.scope({
  name: 'Organization',
  path: '/orgs/:organizationId',
  params: { organizationId: Id },
  load: async ({ params }) => {
    const organization = await Organization.findById(params.organizationId).lean<OrganizationRecord>();
    if (!organization) throw notFound('organization', params.organizationId);
    return { organization };
  },
  permissions: () => ({}),
  version: ({ organization }) => versionOf(Organization, { _id: organization._id }),
});

async function loadInvite(organization: string, id: string): Promise<InviteRecord> {
  const invite = await Invite.findOne({ _id: id, organization }).lean<InviteRecord>();
  if (!invite) throw notFound('invite', id);
  return invite;
}
