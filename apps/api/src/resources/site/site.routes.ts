import {
  CreateSite,
  forbidden,
  fromRepeated,
  fromWord,
  Id,
  Site,
  SiteType,
  text,
  UpdateSite,
} from '@bindery/contract';
import { z } from 'zod';
import { roleInSite } from '../../permissions/access.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { findAddableSpaces } from './findAddableSpaces.ts';
import { createSite } from './createSite.ts';
import { deleteSite } from './deleteSite.ts';
import { pageOfSites } from './pageOfSites.ts';
import { presentSite } from './site.presenter.ts';
import { inSite } from './site.scope.ts';
import { publishSite, updateSite } from './updateSite.ts';

const tags = ['Site'];

export const siteRoutes = [
  inOrganization.list(
    '/sites',
    {
      operationId: 'listSites',
      summary: 'List the sites of an organization',
      permission: 'organization.view',
      tags,
      query: z.object({
        space: Id.optional().describe('Only sites that hold this space.'),
        title: text(0, 128).optional().describe('Only sites whose title contains this text.'),
        published: fromWord(z.boolean().optional()).describe(
          'Only sites that are published, or that are not.',
        ),
        type: fromRepeated(z.array(SiteType).max(20).optional()).describe(
          'Only sites of one of these types.',
        ),
      }),
      item: Site,
    },
    async ({ platform: { links }, organization, member, query }) =>
      pageOfSites({ links, organization, member }, query),
  ),

  inOrganization.post(
    '/sites',
    {
      operationId: 'createSite',
      summary: 'Create an unpublished site',
      permission: 'organization.createContent',
      tags,
      body: CreateSite.default({}),
      response: Site,
      status: 201,
      idempotent: true,
    },
    async ({ platform: { links }, organization, member, actor, body: { spaces, ...fields } }) => {
      const given = Array.isArray(spaces)
        ? await findAddableSpaces(spaces, { organization, member, path: 'body.spaces' })
        : spaces;
      const site = await createSite({ organization, createdBy: actor.user.id, ...fields, spaces: given });
      return presentSite(site, { links, role: roleInSite({ member, access: site.access }), organization });
    },
  ),

  inSite.get(
    '',
    {
      operationId: 'getSiteById',
      summary: 'Get a site',
      permission: 'site.view',
      response: Site,
      etag: true,
    },
    async ({ platform: { links }, site, role, organization, reply }) => {
      reply.version(site.version);
      return presentSite(site, { links, role, organization });
    },
  ),

  inSite.delete(
    '',
    { operationId: 'deleteSiteById', summary: 'Delete a site but not its spaces', permission: 'site.admin' },
    async ({ site }) => deleteSite(site),
  ),

  inSite.patch(
    '',
    {
      operationId: 'updateSiteById',
      summary: 'Change a site',
      description: 'Changing the visibility or the proxy requires the permission `site.admin`.',
      permission: 'site.edit',
      body: UpdateSite.default({}),
      response: Site,
      etag: true,
    },
    async ({ platform: { config, links }, site, role, organization, body, can, reply }) => {
      if ((body.visibility !== undefined || body.proxy !== undefined) && !can['site.admin'])
        throw forbidden('site.admin');
      const changed = await updateSite(site, { body, provenHosts: config.api.provenHosts });
      reply.version(changed.version);
      return presentSite(changed, { links, role, organization });
    },
  ),

  inSite.post(
    '/publish',
    { operationId: 'publishSite', summary: 'Publish a site', permission: 'site.admin', response: Site },
    async ({ platform: { links }, site, role, organization }) =>
      presentSite(await publishSite(site, { isPublished: true }), { links, role, organization }),
  ),

  inSite.post(
    '/unpublish',
    { operationId: 'unpublishSite', summary: 'Unpublish a site', permission: 'site.admin', response: Site },
    async ({ platform: { links }, site, role, organization }) =>
      presentSite(await publishSite(site, { isPublished: false }), { links, role, organization }),
  ),
];
