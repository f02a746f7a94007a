import { CreateOrganization, Organization } from '@bindery/contract';
import { createOrganization } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { presentOrganization } from './organization.presenter.ts';
import { inOrganization } from './organization.scope.ts';
import { pageOfOrganizations } from './pageOfOrganizations.ts';

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
    async ({ actor, query }) => pageOfOrganizations(actor, query),
  ),

  root.post(
    '/orgs',
    {
      operationId: 'createOrganization',
      summary: 'Create an organization, with the caller as its admin',
      permission: 'token',
      tags: ['Organization'],
      body: CreateOrganization,
      response: Organization,
      status: 201,
    },
    async ({ actor, body }) =>
      presentOrganization(await createOrganization({ title: body.title.trim(), userId: actor.user.id }), { role: 'admin', teams: [] }),
  ),

  inOrganization.get(
    '',
    {
      operationId: 'getOrganizationById',
      summary: 'Get an organization',
      permission: 'organization.view',
      response: Organization,
    },
    async ({ organization, member }) => presentOrganization(organization, member),
  ),
];
