import { Id, notFound } from '@bindery/contract';
import { PendingMember, pendingMemberId, type PendingMemberRecord } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { inOrganization } from '../organization/organization.scope.ts';

/** An organization's request to the caller. */
export const inPendingMembership = root.scope({
  name: 'PendingMembership',
  path: '/user/pending-memberships/:organizationId',
  params: { organizationId: Id },
  load: async ({ actor, params }) => ({
    pending: await loadPending({ organization: params.organizationId, user: actor.user.id }),
  }),
  permissions: () => ({}),
});

/** An organization's request to a user, for its admins. */
export const inPendingMember = inOrganization.scope({
  name: 'PendingMember',
  path: '/pending-members/:userId',
  params: { userId: Id },
  load: async ({ organization, params }) => ({
    pending: await loadPending({ organization: organization._id, user: params.userId }),
  }),
  permissions: () => ({}),
});

async function loadPending(
  of: Pick<PendingMemberRecord, 'organization' | 'user'>,
): Promise<PendingMemberRecord> {
  const pending = await PendingMember.findById(pendingMemberId(of)).lean<PendingMemberRecord>();
  if (!pending) throw notFound('open request of the organization', of.organization);
  return pending;
}
