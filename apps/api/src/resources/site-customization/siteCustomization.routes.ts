import { conditionProblem } from '@bindery/dialect';
import {
  invalid,
  notFound,
  SiteCustomizationSettings,
  SiteSpaceCustomizationSettings,
  UpdateSiteCustomization,
  UpdateSiteSpaceCustomization,
  type SiteCustomization,
} from '@bindery/contract';
import { Site, SiteSpace, type SiteRecord, type SiteSpaceRecord } from '@bindery/models';
import { changedOverrides, effectiveCustomization } from '@bindery/publishing';
import { changeRecord } from '../../records/changeRecord.ts';
import { inSiteSpace } from '../site-space/siteSpace.scope.ts';
import { changeStructure } from '../site/changeStructure.ts';
import { inSite } from '../site/site.scope.ts';

export const siteCustomizationRoutes = [
  inSite.get(
    '/customization',
    {
      operationId: 'getSiteCustomizationById',
      summary: 'Get the customization of a site, with all settings',
      permission: 'site.view',
      response: SiteCustomizationSettings,
      etag: true,
    },
    async ({ site, reply }) => {
      reply.version(site.version);
      return presentCustomization(site);
    },
  ),

  inSite.put(
    '/customization',
    {
      operationId: 'updateSiteCustomizationById',
      summary: 'Replace the customization of a site',
      description: 'Omitted settings get their defaults. The icon of the site is its favicon.',
      permission: 'site.edit',
      body: UpdateSiteCustomization,
      response: SiteCustomizationSettings,
      etag: true,
    },
    async ({ site, body, reply }) => {
      refuseBrokenConditions(body.header.links);
      const customization = { settings: body, updatedAt: new Date() };
      const changed = await changeRecord<SiteRecord>(Site, site, {
        customization,
        icon: iconOf(body.favicon),
      });
      reply.version(changed.version);
      return presentCustomization(changed);
    },
  ),

  inSiteSpace.get(
    '/customization',
    {
      operationId: 'getSiteSpaceCustomizationById',
      summary: 'Get the customization of a site space, with all settings',
      description: 'The customization of the site, with the overrides of the site space.',
      permission: 'site.view',
      response: SiteSpaceCustomizationSettings,
      etag: true,
    },
    async ({ site, siteSpace, reply }) => {
      reply.version(siteSpace.version);
      return presentSiteSpaceCustomization(site, siteSpace);
    },
  ),

  inSiteSpace.patch(
    '/customization',
    {
      operationId: 'overrideSiteSpaceCustomizationById',
      summary: 'Change the customization overrides of a site space',
      description:
        'Omitted settings are not changed; null removes an override, so that the setting of the site applies again.',
      permission: 'site.edit',
      body: UpdateSiteSpaceCustomization.default({}),
      response: SiteSpaceCustomizationSettings,
      etag: true,
    },
    async ({ site, siteSpace, body, reply }) => {
      refuseBrokenConditions(body.header?.links ?? []);
      const { set, unset } = changedOverrides(body);
      reply.version(siteSpace.version);
      if (Object.keys(set).length + unset.length === 0) return presentSiteSpaceCustomization(site, siteSpace);
      const place = (path: string) => `customization.overrides.${path}`;
      // Written setting by setting, so that concurrent changes of different settings do not undo each other.
      const update = {
        $set: {
          ...Object.fromEntries(Object.entries(set).map(([path, value]) => [place(path), value])),
          'customization.updatedAt': new Date(),
        },
        ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((path) => [place(path), 1])) }),
        $inc: { version: 1 },
      };
      const changed = await changeStructure(site, async (_site, session) =>
        SiteSpace.findOneAndUpdate({ _id: siteSpace._id }, update, {
          returnDocument: 'after',
          session,
        }).lean<SiteSpaceRecord>(),
      );
      if (!changed) throw notFound('site space', siteSpace._id);
      reply.version(changed.version);
      return presentSiteSpaceCustomization(site, changed);
    },
  ),

  inSiteSpace.delete(
    '/customization',
    {
      operationId: 'deleteSiteSpaceCustomizationById',
      summary: 'Remove all customization overrides of a site space',
      permission: 'site.edit',
    },
    async ({ site, siteSpace }) => {
      await changeStructure(site, async (_site, session) =>
        SiteSpace.updateOne(
          { _id: siteSpace._id },
          { $unset: { customization: 1 }, $inc: { version: 1 } },
          { session },
        ),
      );
    },
  ),
];

function presentCustomization(site: SiteRecord): SiteCustomizationSettings {
  const { customization } = site;
  return {
    ...effectiveCustomization(site),
    updatedAt: customization?.updatedAt.toISOString(),
  };
}

function presentSiteSpaceCustomization(
  site: SiteRecord,
  siteSpace: SiteSpaceRecord,
): SiteSpaceCustomizationSettings {
  const times = [site.customization?.updatedAt, siteSpace.customization?.updatedAt].filter(
    (time) => time !== undefined,
  );
  const updatedAt = times.toSorted((a, b) => b.getTime() - a.getTime())[0];
  return {
    ...effectiveCustomization(site, siteSpace),
    updatedAt: updatedAt?.toISOString(),
    hasOverrides: hasOverrides(siteSpace.customization?.overrides ?? {}),
  };
}

/** Whether a site space overrides any setting; a group may remain although all its settings were reset. */
function hasOverrides(overrides: object): boolean {
  return Object.values(overrides).some(
    (value) =>
      typeof value !== 'object' || value === null || Array.isArray(value) || hasOverrides(value as object),
  );
}

function iconOf(favicon: SiteCustomization['favicon']): SiteRecord['icon'] {
  // TypeScript assumes that an empty object may have every key.
  return Object.keys(favicon).length > 0 ? (favicon as SiteRecord['icon']) : undefined;
}

function refuseBrokenConditions(links: SiteCustomization['header']['links']): void {
  for (const [i, { condition }] of links.entries()) {
    const problem = condition === undefined ? undefined : conditionProblem(condition);
    if (problem) throw invalid(`body.header.links[${i}].condition`, problem);
  }
}
