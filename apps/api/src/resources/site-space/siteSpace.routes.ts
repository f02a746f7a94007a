import {
  AddSpaceToSite,
  fromWord,
  MoveSiteSpace,
  ShareKey,
  SiteSpace,
  UpdateSiteSpace,
} from '@bindery/contract';
import { removeSiteSpaces } from '@bindery/models';
import { z } from 'zod';
import { answerSiteSpace } from '../site/answerPart.ts';
import { changeStructure } from '../site/changeStructure.ts';
import { requireCondition } from '../site/condition.ts';
import { moveInStructure } from '../site/moveInStructure.ts';
import { inReadableSite, inSite } from '../site/site.scope.ts';
import { addSiteSpace } from './addSiteSpace.ts';
import { findAddableSpaces } from '../site/findAddableSpaces.ts';
import { pageOfSiteSpaces } from './pageOfSiteSpaces.ts';
import { inSiteSpace } from './siteSpace.scope.ts';
import { updateSiteSpace } from './updateSiteSpace.ts';

const tags = ['SiteSpace'];

export const siteSpaceRoutes = [
  inReadableSite.list(
    '/site-spaces',
    {
      operationId: 'listSiteSpaces',
      summary: 'List the site spaces of a site, in display order',
      permission: 'site.view',
      tags,
      query: z.object({
        shareKey: ShareKey.describe(
          'For sites published by share links: the key with which published URLs are resolved.',
        ),
        default: fromWord(z.boolean().optional()).describe(
          'true for default site spaces only, false for all others.',
        ),
      }),
      item: SiteSpace,
      etag: true,
    },
    async ({ query, ...reader }) => pageOfSiteSpaces(reader, query),
  ),

  inSite.post(
    '/site-spaces',
    {
      operationId: 'addSpaceToSite',
      summary: 'Add a space to a site',
      permission: 'site.edit',
      tags,
      body: AddSpaceToSite,
      response: SiteSpace,
      status: 201,
      idempotent: true,
    },
    async ({ platform, site, organization, member, body }) => {
      const [space] = await findAddableSpaces([body.spaceId], { organization, member, path: 'body.spaceId' });
      const added = space && (await addSiteSpace(site, { space, sectionId: body.sectionId }));
      return answerSiteSpace({ platform, site, organization, member }, added?._id ?? '');
    },
  ),

  inSiteSpace.get(
    '',
    {
      operationId: 'getSiteSpaceById',
      summary: 'Get a site space',
      permission: 'site.view',
      response: SiteSpace,
      etag: true,
    },
    async ({ platform, site, siteSpace, organization, member, reply }) => {
      reply.version(siteSpace.version);
      return answerSiteSpace({ platform, site, organization, member }, siteSpace._id);
    },
  ),

  inSiteSpace.delete(
    '',
    {
      operationId: 'deleteSiteSpaceById',
      summary: 'Remove a space from a site without deleting the space',
      permission: 'site.edit',
    },
    async ({ site, siteSpace }) =>
      changeStructure(site, async (_site, session) =>
        removeSiteSpaces({ siteSpaces: [siteSpace._id] }, session),
      ),
  ),

  inSiteSpace.patch(
    '',
    {
      operationId: 'updateSiteSpaceById',
      summary: 'Change the path, the condition or the space of a site space',
      permission: 'site.edit',
      body: UpdateSiteSpace.default({}),
      response: SiteSpace,
      etag: true,
    },
    async ({ platform, site, siteSpace, organization, member, body, reply }) => {
      const { path, condition, spaceId } = body;
      requireCondition(condition);
      const [space] =
        spaceId === undefined
          ? []
          : await findAddableSpaces([spaceId], { organization, member, path: 'body.spaceId' });
      const changed = await updateSiteSpace(siteSpace, { path, condition, space });
      reply.version(changed.version);
      return answerSiteSpace({ platform, site, organization, member }, siteSpace._id);
    },
  ),

  inSiteSpace.post(
    '/move',
    {
      operationId: 'moveSiteSpace',
      summary: 'Move a site space among its siblings',
      description: 'Deprecated: sort the structure of the site instead.',
      deprecated: true,
      successor: '/orgs/:organizationId/sites/:siteId/structure/sort',
      permission: 'site.edit',
      body: MoveSiteSpace.default({}),
      response: SiteSpace,
    },
    async ({ platform, site, siteSpace, organization, member, body: { position } }) => {
      const pointer = (to?: { type: 'site-space'; siteSpace: string }) =>
        to && { type: to.type, id: to.siteSpace };
      await moveInStructure(site, {
        item: { type: 'site-space', id: siteSpace._id },
        position: position && { before: pointer(position.before), after: pointer(position.after) },
      });
      return answerSiteSpace({ platform, site, organization, member }, siteSpace._id);
    },
  ),
];
