import { Organization, OrganizationsForEmailDomain, UpdateOrganization } from '@bindery/contract';
import { z } from 'zod';
import { root } from '../../http/scope.ts';
import { presentOrganization } from './organization.presenter.ts';
import { inOrganization } from './organization.scope.ts';
import { organizationsOfDomain } from './organizationsOfDomain.ts';
import { pageOfOrganizations } from './pageOfOrganizations.ts';
import { updateOrganization } from './updateOrganization.ts';

export const organizationRoutes = [
  root.list(
    '/orgs',
    {
      operationId: 'listOrganizationsForAuthenticatedUser',
      summary: 'List the organizations that the user is a member of',
      permission: 'token',
      tags: ['Organization'],
      item: Organization,
    },
    async ({ platform, actor, query }) => pageOfOrganizations({ platform, actor }, query),
  ),

  root.get(
    '/email-domains/:emailDomain/orgs',
    {
      operationId: 'getOrganizationsForEmailDomain',
      summary: 'List the organizations that users with an e-mail address in a domain can join',
      description: 'Empty when your own address is in another domain.',
      permission: 'token',
      tags: ['Organization'],
      // No value is refused: an unknown domain gets an empty list.
      params: { emailDomain: z.string().meta({ minLength: 1 }) },
      response: OrganizationsForEmailDomain,
    },
    async ({ platform, actor, params }) => ({
      organizations: await organizationsOfDomain(params.emailDomain, { platform, actor }),
    }),
  ),

  inOrganization.get(
    '',
    {
      operationId: 'getOrganizationById',
      summary: 'Get an organization',
      permission: 'organization.view',
      response: Organization,
      etag: true,
    },
    async ({ platform, organization, member, reply }) => {
      reply.version(organization.version);
      return presentOrganization(organization, { platform, member });
    },
  ),

  inOrganization.patch(
    '',
    {
      operationId: 'updateOrganizationById',
      summary: 'Change the settings of an organization',
      permission: 'organization.admin',
      body: UpdateOrganization.default({}),
      response: Organization,
      etag: true,
    },
    async ({ platform, actor, organization, member, body, reply }) => {
      const changed = await updateOrganization(organization, body, { actor, member });
      reply.version(changed.version);
      return presentOrganization(changed, { platform, member });
    },
  ),
];
