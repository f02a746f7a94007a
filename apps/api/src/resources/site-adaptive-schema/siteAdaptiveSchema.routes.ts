import { templateConditions } from '@bindery/content';
import { SiteAdaptiveSchema, SiteAdaptiveTemplateCondition, UpdateSiteAdaptiveSchema } from '@bindery/contract';
import { Site, type SiteRecord } from '@bindery/models';
import { z } from 'zod';
import { changeRecord } from '../changeRecord.ts';
import { inSite } from '../site/site.scope.ts';
import { adaptiveSchemaOf } from './adaptiveSchemaOf.ts';

export const siteAdaptiveSchemaRoutes = [
  inSite.get(
    '/adaptive-schema',
    {
      operationId: 'getSiteAdaptiveSchema',
      summary: 'Get the schema of what is known of the visitors of a site',
      description: 'Until it is set for the first time, it has no claims and the time at which the site was made.',
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
      summary: 'Set the schema of what is known of the visitors of a site',
      description:
        'Claims that are not declared here, or that come with another type, are dropped before a condition sees them. A claim is a boolean, a ' +
        'number, a string (with `enum`: one of these), an array of those, or an object of further claims. No other keyword is taken.',
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
      summary: 'List conditions that the schema of a site suggests',
      description: 'Each boolean claim with true and with false, and each string claim that has an `enum` with each of its values.',
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
