import {
  AddSectionToSite,
  MoveSiteSection,
  ShareKey,
  SiteSection,
  UpdateSiteSection,
} from '@bindery/contract';
import { z } from 'zod';
import { findAddableSpaces } from '../site/findAddableSpaces.ts';
import { answerSection } from '../site/answerPart.ts';
import { requireCondition } from '../site/condition.ts';
import { moveInStructure } from '../site/moveInStructure.ts';
import { inReadableSite, inSite } from '../site/site.scope.ts';
import { addSection } from './addSection.ts';
import { pageOfSections } from './pageOfSections.ts';
import { removeSection } from './removeSection.ts';
import { inSiteSection } from './siteSection.scope.ts';
import { updateSection } from './updateSection.ts';

const tags = ['SiteSection'];

export const siteSectionRoutes = [
  inReadableSite.list(
    '/sections',
    {
      operationId: 'listSiteSections',
      summary: 'List the sections of a site, in display order',
      permission: 'site.view',
      tags,
      query: z.object({
        shareKey: ShareKey.describe(
          'For sites published by share links: the key with which published URLs are resolved.',
        ),
      }),
      item: SiteSection,
      etag: true,
    },
    async ({ query, ...reader }) => pageOfSections(reader, query),
  ),

  inSite.post(
    '/sections',
    {
      operationId: 'addSectionToSite',
      summary: 'Add a section with one space to a site',
      permission: 'site.edit',
      tags,
      body: AddSectionToSite,
      response: SiteSection,
      status: 201,
      idempotent: true,
    },
    async ({ platform, site, organization, member, body: { spaceId, title, icon } }) => {
      const [space] = await findAddableSpaces([spaceId], { organization, member, path: 'body.spaceId' });
      const section =
        space && (await addSection(site, { space, title: title?.trim(), icon: icon ?? undefined }));
      return answerSection({ platform, site, organization, member }, section?._id ?? '');
    },
  ),

  inSiteSection.get(
    '',
    {
      operationId: 'getSiteSectionById',
      summary: 'Get a section of a site',
      permission: 'site.view',
      response: SiteSection,
      etag: true,
    },
    async ({ platform, site, section, organization, member, reply }) => {
      reply.version(section.version);
      return answerSection({ platform, site, organization, member }, section._id);
    },
  ),

  inSiteSection.delete(
    '',
    {
      operationId: 'deleteSiteSectionById',
      summary: 'Remove a section with its site spaces, without deleting the spaces',
      permission: 'site.edit',
    },
    async ({ section }) => removeSection(section),
  ),

  inSiteSection.patch(
    '',
    {
      operationId: 'updateSiteSectionById',
      summary: 'Change a section of a site',
      permission: 'site.edit',
      body: UpdateSiteSection.default({}),
      response: SiteSection,
      etag: true,
    },
    async ({ platform, site, section, organization, member, body, reply }) => {
      requireCondition(body.condition);
      const changed = await updateSection(section, body);
      reply.version(changed.version);
      return answerSection({ platform, site, organization, member }, section._id);
    },
  ),

  inSiteSection.post(
    '/move',
    {
      operationId: 'moveSiteSection',
      summary: 'Move a section within its group, or at the root of the site',
      permission: 'site.edit',
      body: MoveSiteSection.default({}),
      response: SiteSection,
    },
    async ({ platform, site, section, organization, member, body: { position } }) => {
      const pointer = (to?: { type: 'site-section'; siteSection: string }) =>
        to && { type: to.type, id: to.siteSection };
      await moveInStructure(site, {
        item: { type: 'site-section', id: section._id },
        position: position && { before: pointer(position.before), after: pointer(position.after) },
      });
      return answerSection({ platform, site, organization, member }, section._id);
    },
  ),
];
