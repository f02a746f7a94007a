import {
  AddSectionGroupToSite,
  AddSectionToGroup,
  Id,
  MoveSiteSectionGroup,
  SiteSectionGroup,
  UpdateSiteSectionGroup,
} from '@bindery/contract';
import { SiteSectionGroup as GroupModel, type SiteSectionGroupRecord } from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';
import { givenFields } from '../../records/givenFields.ts';
import { answerGroup } from '../site/answerPart.ts';
import { moveInStructure } from '../site/moveInStructure.ts';
import { inSite } from '../site/site.scope.ts';
import { addGroup } from './addGroup.ts';
import { addSectionToGroup, removeSectionFromGroup } from './groupSections.ts';
import { pageOfGroups } from './pageOfGroups.ts';
import { removeGroup } from './removeGroup.ts';
import { inSiteSectionGroup } from './siteSectionGroup.scope.ts';

const tags = ['SiteSectionGroup'];

export const siteSectionGroupRoutes = [
  inSite.list(
    '/section-groups',
    {
      operationId: 'listSiteSectionGroups',
      summary: 'List the section groups of a site, in display order',
      permission: 'site.view',
      tags,
      item: SiteSectionGroup,
    },
    async ({ platform, site, organization, member, query }) =>
      pageOfGroups({ platform, site, organization, member }, query),
  ),

  inSite.post(
    '/section-groups',
    {
      operationId: 'addSectionGroupToSite',
      summary: 'Add a section group with existing sections to a site',
      permission: 'site.edit',
      tags,
      body: AddSectionGroupToSite,
      response: SiteSectionGroup,
      status: 201,
      idempotent: true,
    },
    async ({ platform, site, organization, member, body: { title, icon, sections } }) => {
      const group = await addGroup(site, { title: title.trim(), icon: icon ?? undefined, sections });
      return answerGroup({ platform, site, organization, member }, group._id);
    },
  ),

  inSiteSectionGroup.get(
    '',
    {
      operationId: 'getSiteSectionGroupById',
      summary: 'Get a section group of a site',
      permission: 'site.view',
      response: SiteSectionGroup,
      etag: true,
    },
    async ({ platform, site, group, organization, member, reply }) => {
      reply.version(group.version);
      return answerGroup({ platform, site, organization, member }, group._id);
    },
  ),

  inSiteSectionGroup.delete(
    '',
    {
      operationId: 'deleteSiteSectionGroupById',
      summary: 'Remove a section group and put its sections in its place',
      permission: 'site.edit',
    },
    async ({ group }) => removeGroup(group),
  ),

  inSiteSectionGroup.patch(
    '',
    {
      operationId: 'updateSiteSectionGroupById',
      summary: 'Change the title or the icon of a section group',
      permission: 'site.edit',
      body: UpdateSiteSectionGroup.default({}),
      response: SiteSectionGroup,
      etag: true,
    },
    async ({ platform, site, group, organization, member, body: { title, icon }, reply }) => {
      const fields = givenFields({ title: title?.trim(), icon });
      const changed = await changeRecord<SiteSectionGroupRecord>(GroupModel, group, fields);
      reply.version(changed.version);
      return answerGroup({ platform, site, organization, member }, group._id);
    },
  ),

  inSiteSectionGroup.post(
    '/sections',
    {
      operationId: 'addSectionToGroup',
      summary: 'Move a section to the end of a group',
      permission: 'site.edit',
      body: AddSectionToGroup,
      response: SiteSectionGroup,
      status: 201,
      idempotent: true,
    },
    async ({ platform, site, group, organization, member, body }) => {
      await addSectionToGroup(group, body);
      return answerGroup({ platform, site, organization, member }, group._id);
    },
  ),

  inSiteSectionGroup.delete(
    '/sections/:siteSectionId',
    {
      operationId: 'removeSectionFromGroup',
      summary: 'Move a section from its group to the end of the root of the site',
      permission: 'site.edit',
      params: { siteSectionId: Id },
    },
    async ({ group, params }) => removeSectionFromGroup(group, { sectionId: params.siteSectionId }),
  ),

  inSiteSectionGroup.post(
    '/move',
    {
      operationId: 'moveSiteSectionGroup',
      summary: 'Move a section group at the root of its site',
      permission: 'site.edit',
      body: MoveSiteSectionGroup.default({}),
      response: SiteSectionGroup,
    },
    async ({ platform, site, group, organization, member, body: { position } }) => {
      await moveInStructure(site, { item: { type: 'site-section-group', id: group._id }, position });
      return answerGroup({ platform, site, organization, member }, group._id);
    },
  ),
];
