import { signInRuleOf } from '@bindery/models';
import {
  forbidden,
  ListMemberSpacesQuery,
  ListMembersQuery,
  Member,
  MemberSpace,
  MemberTeam,
  text,
  UpdateMember,
  VisitorClaims,
} from '@bindery/contract';
import { z } from 'zod';
import { inOrganization } from '../organization/organization.scope.ts';
import { inMember } from './member.scope.ts';
import { pageOfMembers } from './pageOfMembers.ts';
import { pageOfMemberSpaces } from './pageOfMemberSpaces.ts';
import { pageOfMemberTeams } from './pageOfMemberTeams.ts';
import { pingOrganization } from './pingOrganization.ts';
import { removeMember } from './removeMember.ts';
import { setSsoMember } from './setSsoMember.ts';
import { showMember } from '../../presenters/showMembers.ts';
import { updateMember } from './updateMember.ts';

export const memberRoutes = [
  inOrganization.list(
    '/members',
    {
      operationId: 'listMembersInOrganizationById',
      summary: 'List the members of an organization',
      permission: 'organization.listMembers',
      tags: ['Member'],
      query: ListMembersQuery,
      item: Member,
    },
    async ({ platform: { links }, member, query }) => pageOfMembers({ links, caller: member }, query),
  ),

  inMember.get(
    '',
    {
      operationId: 'getMemberInOrganizationById',
      summary: 'Get a member',
      permission: 'organization.listMembers',
      response: Member,
      etag: true,
    },
    async ({ platform: { links }, member, target, reply }) => {
      reply.version(target.version);
      return showMember(target, { links, caller: member });
    },
  ),

  inMember.patch(
    '',
    {
      operationId: 'updateMemberInOrganizationById',
      summary: 'Change the role of a member',
      permission: 'organization.admin',
      body: UpdateMember.default({}),
      response: Member,
      etag: true,
    },
    async ({ platform: { links }, member, target, body, reply }) => {
      const changed = await updateMember(target, body);
      reply.version(changed.version);
      return showMember(changed, { links, caller: changed.user === member.user ? changed : member });
    },
  ),

  inMember.delete(
    '',
    {
      operationId: 'removeMemberFromOrganizationById',
      tokenScope: 'admin',
      summary: 'Remove a member, or leave the organization',
      description:
        'Also removes team memberships and grants. Members can remove themselves, admins can remove anyone.',
      permission: 'organization.view',
      requires: ({ can }) => {
        if (!can['member.remove']) throw forbidden('organization.admin');
      },
    },
    async ({ target }) => removeMember(target),
  ),

  inMember.post(
    '/sso',
    {
      operationId: 'setUserAsSSOMemberForOrganization',
      summary: 'Let a member sign in through the SAML provider of the organization',
      description:
        'The member must accept first, see `acceptPendingMembership`; until then `sso` stays false. No consent is needed from yourself, and from members with an e-mail address in a verified domain of the organization.',
      permission: 'organization.admin',
      response: Member,
    },
    async ({ platform: { config, links }, organization, member, target }) =>
      showMember(
        await setSsoMember({ domainRule: await signInRuleOf(config), organization, member, target }),
        {
          links,
          caller: member,
        },
      ),
  ),

  inMember.list(
    '/spaces',
    {
      operationId: 'listSpacesForOrganizationMember',
      summary: 'List the spaces that a member can access, by title',
      permission: 'organization.listMembers',
      query: ListMemberSpacesQuery,
      item: MemberSpace,
    },
    async ({ platform: { links }, organization, member, target, query }) =>
      pageOfMemberSpaces({ links, organization, member, target }, query),
  ),

  inMember.list(
    '/teams',
    {
      operationId: 'listTeamsForOrganizationMember',
      summary: 'List the teams of a member',
      permission: 'organization.listMembers',
      query: z.object({
        title: text(0, 256).optional().describe('Only teams whose title contains this text, ignoring case.'),
      }),
      item: MemberTeam,
    },
    async ({ member, target, query }) => pageOfMemberTeams({ member, target }, query),
  ),

  inOrganization.post(
    '/ping',
    {
      operationId: 'updateOrganizationMemberLastSeenAt',
      // The answer identifies the caller to every site with authenticated visitors.
      tokenScope: 'user',
      summary: 'Record that the caller is active',
      description:
        'If `BINDERY_VISITOR_CLAIMS_KEY` is configured, the answer contains a token that identifies the caller to sites with authenticated visitors.',
      permission: 'organization.view',
      tags: ['Member'],
      response: VisitorClaims,
    },
    async ({ platform: { config }, member, actor }) =>
      pingOrganization(member, { actor, claimsKey: config.visitorClaims.key }),
  ),
];
