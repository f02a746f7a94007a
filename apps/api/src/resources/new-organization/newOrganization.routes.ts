import { CreateOrganization, fromWord, Organization } from '@bindery/contract';
import { createOrganization } from '@bindery/models';
import { z } from 'zod';
import { root } from '../../http/scope.ts';
import { presentOrganization } from '../organization/organization.presenter.ts';
import { createSite } from '../site/createSite.ts';

/** Apart from the other routes of organizations, because sites are made below an organization. */
export const newOrganizationRoutes = [
  root.post(
    '/orgs',
    {
      operationId: 'createOrganization',
      tokenScope: 'user',
      summary: 'Create an organization, with the caller as its admin',
      permission: 'token',
      tags: ['Organization'],
      query: z.object({
        withDefaultSite: fromWord(z.boolean().default(false)).describe(
          'true also creates a site with example pages.',
        ),
      }),
      body: CreateOrganization,
      response: Organization,
      status: 201,
      idempotent: true,
    },
    async ({ platform, actor, query, body: { title, emailDomains } }) => {
      const organization = await createOrganization({
        title: title.trim(),
        userId: actor.user.id,
        emailDomains,
      });
      if (query.withDefaultSite)
        await createSite({ organization, createdBy: actor.user.id, spaces: 'sample' });
      return presentOrganization(organization, { platform, member: { role: 'admin', teams: [] } });
    },
  ),
];
