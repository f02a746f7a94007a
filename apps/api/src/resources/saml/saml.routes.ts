import { CreateSamlProvider, SamlProvider, SsoLogin, UpdateSamlProvider } from '@bindery/contract';
import { SamlProvider as SamlProviderModel, type SamlProviderRecord } from '@bindery/models';
import { z } from 'zod';
import { findPage } from '../../records/findPage.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { deleteSamlProvider } from './deleteSamlProvider.ts';
import { presentSsoLogin } from './saml.presenter.ts';
import { inSamlProvider } from './saml.scope.ts';
import { createSamlProvider, updateSamlProvider } from './saveSamlProvider.ts';
import { showSamlProvider, showSamlProviders } from './showSamlProviders.ts';

export const samlRoutes = [
  inOrganization.list(
    '/saml',
    {
      operationId: 'listSAMLProvidersInOrganizationById',
      summary: 'List the SAML providers of an organization',
      permission: 'organization.admin',
      tags: ['SSO'],
      item: SamlProvider,
    },
    async ({ platform: { links }, organization, member, query }) => {
      const { rows, ...page } = await findPage<SamlProviderRecord>(
        SamlProviderModel,
        { organization: organization._id },
        query,
      );
      return { ...page, items: await showSamlProviders(rows, { links, member }) };
    },
  ),

  inOrganization.post(
    '/saml',
    {
      operationId: 'createOrganizationSAMLProvider',
      summary: 'Create a SAML provider',
      description:
        'It is `active` once `entityID`, `certificate` and `ssoURL` are set; then users can sign in with it.',
      permission: 'organization.admin',
      tags: ['SSO'],
      body: CreateSamlProvider,
      response: SamlProvider,
      status: 201,
      idempotent: true,
    },
    async ({ platform: { links }, organization, member, body }) =>
      showSamlProvider(await createSamlProvider(organization._id, body), { links, member }),
  ),

  inSamlProvider.get(
    '',
    {
      operationId: 'getOrganizationSAMLProviderById',
      summary: 'Get a SAML provider',
      permission: 'organization.admin',
      response: SamlProvider,
      etag: true,
    },
    async ({ platform: { links }, provider, member, reply }) => {
      reply.version(provider.version);
      return showSamlProvider(provider, { links, member });
    },
  ),

  inSamlProvider.patch(
    '',
    {
      operationId: 'updateOrganizationSAMLProvider',
      summary: 'Update a SAML provider',
      description:
        'An empty `entityID` or `certificate`, and null for `ssoURL` or `defaultTeam`, removes the setting. Another `entityID` or `certificate` ends the sessions that the provider began.',
      permission: 'organization.admin',
      body: UpdateSamlProvider.default({}),
      response: SamlProvider,
      etag: true,
    },
    async ({ platform: { links }, provider, member, body, reply }) => {
      const changed = await updateSamlProvider(provider, body);
      reply.version(changed.version);
      return showSamlProvider(changed, { links, member });
    },
  ),

  inSamlProvider.delete(
    '',
    {
      operationId: 'deleteOrganizationSAMLProvider',
      summary: 'Delete a SAML provider',
      permission: 'organization.admin',
    },
    async ({ provider }) => deleteSamlProvider(provider),
  ),

  inOrganization.get(
    '/sso',
    {
      operationId: 'listSSOProviderLoginsInOrganization',
      summary: 'List the sign-in providers of an organization',
      permission: 'organization.view',
      tags: ['SSO'],
      response: z.object({ items: z.array(SsoLogin) }),
    },
    async ({ platform: { links }, organization }) => {
      const active = await SamlProviderModel.find({ organization: organization._id, status: 'active' })
        .sort({ createdAt: -1, _id: -1 })
        .lean<SamlProviderRecord[]>();
      return { items: active.map((provider) => presentSsoLogin(provider, links)) };
    },
  ),
];
