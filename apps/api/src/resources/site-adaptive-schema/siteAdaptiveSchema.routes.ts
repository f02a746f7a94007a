import { templateConditions } from '@bindery/dialect';
import {
  SiteAdaptiveSchema,
  SiteAdaptiveTemplateCondition,
  UpdateSiteAdaptiveSchema,
} from '@bindery/contract';
import { Site, type SiteRecord } from '@bindery/models';
import { adaptiveSchemaOf } from '@bindery/publishing';
import { z } from 'zod';
import { changeRecord } from '../../records/changeRecord.ts';
import { inSite } from '../site/site.scope.ts';

export const siteAdaptiveSchemaRoutes = [
  inSite.get(
    '/adaptive-schema',
    {
      operationId: 'getSiteAdaptiveSchema',
      summary: 'Get the schema of the visitor claims of a site',
      description: 'Before it is first set, it has no claims, and its time is the creation time of the site.',
      permission: 'site.viewAdaptiveSchema',
      response: SiteAdaptiveSchema,
      etag: true,
    },
    async ({ site, reply }) => {
      reply.version(site.version);
      return presentAdaptiveSchema(site);
    },
  ),

  inSite.put(
    '/adaptive-schema',
    {
      operationId: 'updateSiteAdaptiveSchema',
      summary: 'Set the schema of the visitor claims of a site',
      description:
        'Undeclared claims, and claims with another type, are dropped before conditions are evaluated. A claim is a boolean, a number,' +
        ' a string (optionally with `enum`), an array of these, or an object of further claims. Other JSON Schema keywords are ' +
        'refused.',
      permission: 'site.editAdaptiveSchema',
      body: UpdateSiteAdaptiveSchema,
      response: SiteAdaptiveSchema,
      etag: true,
    },
    async ({ site, body, reply }) => {
      const adaptiveSchema = { jsonSchema: JSON.stringify(body.jsonSchema), updatedAt: new Date() };
      const changed = await changeRecord<SiteRecord>(Site, site, { adaptiveSchema });
      reply.version(changed.version);
      return presentAdaptiveSchema(changed);
    },
  ),

  inSite.get(
    '/adaptive-schema/template-conditions',
    {
      operationId: 'listSiteAdaptiveTemplateConditions',
      summary: 'List conditions suggested by the visitor schema of a site',
      description:
        'Each boolean claim with true and with false, and each string claim that has an `enum` with each of its values.',
      permission: 'site.viewAdaptiveSchema',
      response: z.object({ items: z.array(SiteAdaptiveTemplateCondition) }),
    },
    async ({ site }) => ({ items: templateConditions(adaptiveSchemaOf(site)) }),
  ),
];

function presentAdaptiveSchema(site: SiteRecord): SiteAdaptiveSchema {
  return {
    object: 'site-adaptive-schema',
    jsonSchema: adaptiveSchemaOf(site),
    updatedAt: (site.adaptiveSchema?.updatedAt ?? site.createdAt).toISOString(),
  };
}
