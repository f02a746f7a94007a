import { AcceptMembership, Id, PendingMember, PendingMembership } from '@bindery/contract';
import {
  Organization,
  PendingMember as PendingMemberModel,
  singleWrite,
  type OrganizationRecord,
  type PendingMemberRecord,
} from '@bindery/models';
import { root } from '../../http/scope.ts';
import { findPage } from '../../records/findPage.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { acceptMembership } from './acceptMembership.ts';
import { presentPendingMember, presentPendingMembership } from './pendingMember.presenter.ts';
import { inPendingMember, inPendingMembership } from './pendingMember.scope.ts';

export const pendingMemberRoutes = [
  root.list(
    '/user/pending-memberships',
    {
      operationId: 'listPendingMembershipsOfAuthenticatedUser',
      tokenScope: 'user',
      summary:
        'List the requests of organizations to the user, to become a member or to sign in through their SAML provider',
      permission: 'token',
      tags: ['User'],
      item: PendingMembership,
    },
    async ({ actor, query }) => {
      const { rows, ...page } = await findPage<PendingMemberRecord>(
        PendingMemberModel,
        { user: actor.user.id, ...unexpired() },
        query,
      );
      const ids = rows.map(({ organization }) => organization);
      const organizations = await Organization.find({ _id: { $in: ids } }, { title: 1 }).lean<
        OrganizationRecord[]
      >();
      const titles = new Map(organizations.map(({ _id, title }) => [_id, title]));
      return {
        ...page,
        items: rows.map((pending) =>
          presentPendingMembership(pending, titles.get(pending.organization) ?? ''),
        ),
      };
    },
  ),

  // The scope loads nothing, so that a repeated request with the same `Idempotency-Key` gets its first answer
  // although the membership is no longer pending.
  root.post(
    '/user/pending-memberships/:organizationId/accept',
    {
      operationId: 'acceptPendingMembership',
      tokenScope: 'user',
      summary: 'Accept the request of an organization',
      description:
        'It can be accepted for 30 days, as long as the admin who made it is an admin. A request with `sso` is accepted only with `sso`.',
      permission: 'token',
      tags: ['User'],
      params: { organizationId: Id },
      body: AcceptMembership.default({}),
      idempotent: true,
    },
    async ({ actor, params, body }) =>
      acceptMembership({ organization: params.organizationId, user: actor.user.id }, body),
  ),

  inPendingMembership.delete(
    '',
    {
      operationId: 'declinePendingMembership',
      tokenScope: 'user',
      summary: 'Decline the request of an organization',
      permission: 'token',
      tags: ['User'],
    },
    async ({ pending }) => remove(pending),
  ),

  inOrganization.list(
    '/pending-members',
    {
      operationId: 'listPendingMembersInOrganization',
      summary: 'List the unanswered requests of an organization to users',
      permission: 'organization.admin',
      tags: ['Member'],
      item: PendingMember,
    },
    async ({ organization, query }) => {
      const { rows, ...page } = await findPage<PendingMemberRecord>(
        PendingMemberModel,
        { organization: organization._id, ...unexpired() },
        query,
      );
      return { ...page, items: rows.map(presentPendingMember) };
    },
  ),

  inPendingMember.delete(
    '',
    {
      operationId: 'removePendingMemberFromOrganization',
      summary: 'Withdraw a request to a user',
      permission: 'organization.admin',
      tags: ['Member'],
    },
    async ({ pending }) => remove(pending),
  ),
];

/** A filter for requests that have not expired; MongoDB removes expired ones up to a minute later. */
function unexpired() {
  return { expiresAt: { $gt: new Date() } };
}

async function remove({ _id }: PendingMemberRecord): Promise<void> {
  await singleWrite((session) => PendingMemberModel.deleteOne({ _id }, { session }));
}
