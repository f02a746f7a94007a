import {
  CreateInvite,
  Invite,
  InvitedUsers,
  InviteUsers,
  Joined,
  ListedInvite,
  UpdateInvite,
} from '@bindery/contract';
import { domainRuleOf, Invite as InviteModel, signInRuleOf, singleWrite } from '@bindery/models';
import { inOrganization } from '../organization/organization.scope.ts';
import { createInvite, updateInvite } from './createInvite.ts';
import { inInvite, outsideOrganization, withInvite } from './invite.scope.ts';
import { inviteUsers } from './inviteUsers.ts';
import { joinOrganization } from './joinOrganization.ts';
import { redeemInvite } from './redeemInvite.ts';
import { pageOfInvites, showInvite } from './showInvites.ts';

export const inviteRoutes = [
  inOrganization.post(
    '/invites',
    {
      operationId: 'inviteUsersToOrganization',
      summary: 'Invite people by e-mail address',
      description:
        'Unknown addresses become users and members. Existing users become members when they accept: see `acceptPendingMembership`. No consent is needed from users with an e-mail address in a verified domain of the organization. Existing members are not changed.',
      permission: 'organization.admin',
      tags: ['Invite'],
      body: InviteUsers,
      response: InvitedUsers,
      idempotent: true,
    },
    async ({ platform: { config }, organization, member, body }) =>
      inviteUsers(
        {
          domainRule: domainRuleOf(config),
          signInRule: await signInRuleOf(config),
          organization,
          member,
        },
        body,
      ),
  ),

  inOrganization.list(
    '/link-invites',
    {
      operationId: 'listOrganizationInviteLinks',
      summary: 'List the link invites of an organization',
      permission: 'organization.admin',
      tags: ['Invite'],
      item: ListedInvite,
    },
    async ({ platform: { links }, organization, member, query }) =>
      pageOfInvites({ links, organization, member }, query),
  ),

  inOrganization.post(
    '/link-invites',
    {
      operationId: 'createOrganizationInvite',
      summary: 'Create a link to join the organization, or to get access to a space or a collection',
      permission: 'organization.admin',
      tags: ['Invite'],
      body: CreateInvite,
      response: Invite,
      status: 201,
      idempotent: true,
    },
    async ({ platform: { links }, organization, member, body }) =>
      showInvite(await createInvite(member, body), { links, organization, member }),
  ),

  inInvite.get(
    '',
    {
      operationId: 'getOrganizationInviteLink',
      summary: 'Get a link invite',
      permission: 'organization.view',
      response: Invite,
      etag: true,
    },
    async ({ platform: { links }, organization, member, invite, reply }) => {
      reply.version(invite.version);
      return showInvite(invite, { links, organization, member });
    },
  ),

  inInvite.patch(
    '',
    {
      operationId: 'updateOrganizationInviteById',
      summary: 'Change what a link invite grants from now on',
      permission: 'organization.admin',
      body: UpdateInvite.default({}),
      response: Invite,
      etag: true,
    },
    async ({ platform: { links }, organization, member, invite, body, reply }) => {
      const changed = await updateInvite(invite, body);
      reply.version(changed.version);
      return showInvite(changed, { links, organization, member });
    },
  ),

  inInvite.delete(
    '',
    {
      operationId: 'deleteOrganizationInviteById',
      summary: 'Revoke a link invite',
      permission: 'organization.admin',
    },
    async ({ invite }) =>
      void (await singleWrite((session) => InviteModel.deleteOne({ _id: invite._id }, { session }))),
  ),

  withInvite.post(
    '',
    {
      operationId: 'joinOrganizationWithInvite',
      tokenScope: 'user',
      summary: 'Accept a link invite: become a member, or get access to its space or collection',
      permission: 'token',
      response: Joined,
      idempotent: true,
    },
    async ({ platform: { config }, invite, actor }) => {
      await redeemInvite(invite, { domainRule: domainRuleOf(config), actor });
      return {};
    },
  ),

  outsideOrganization.post(
    '/join',
    {
      operationId: 'joinOrganization',
      tokenScope: 'user',
      summary: 'Join an organization by the domain of your e-mail address',
      permission: 'token',
      tags: ['Invite'],
      idempotent: true,
    },
    async ({ platform: { config }, params, actor }) =>
      joinOrganization(params.organizationId, { domainRule: domainRuleOf(config), actor }),
  ),
];
