import { ShareKey, SiteStructure, SiteStructureItem, SortSiteStructure } from '@bindery/contract';
import { z } from 'zod';
import { answerItem } from './answerPart.ts';
import { moveInStructure } from './moveInStructure.ts';
import { findShareKey } from './shareKey.ts';
import { inReadableSite, inSite } from './site.scope.ts';
import { loadSiteView } from './siteView.ts';
import { presentStructure } from './structure.presenter.ts';

const tags = ['Site'];

export const siteStructureRoutes = [
  inReadableSite.get(
    '/structure',
    {
      operationId: 'getSiteStructure',
      summary: 'Get the structure of a site: its sections and groups, or its spaces',
      permission: 'site.view',
      tags,
      query: z.object({
        shareKey: ShareKey.describe(
          'For sites published by share links: the key with which published URLs are resolved.',
        ),
      }),
      response: SiteStructure,
      etag: true,
    },
    async ({ query, ...reader }) =>
      presentStructure(
        await loadSiteView(reader, {
          shareKey: await findShareKey(reader.platform.config.secrets, {
            site: reader.site,
            shareKey: query.shareKey,
          }),
        }),
      ),
  ),

  inSite.patch(
    '/structure/sort',
    {
      operationId: 'sortSiteStructure',
      summary: 'Move a site space, a section or a section group among its siblings',
      permission: 'site.edit',
      tags,
      body: SortSiteStructure,
      response: SiteStructureItem,
    },
    async ({ platform, site, organization, member, body: { item, position } }) => {
      await moveInStructure(site, { item, position });
      return answerItem({ platform, site, organization, member }, item);
    },
  ),
];
