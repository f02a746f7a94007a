import type { AdaptiveJsonSchema } from '@bindery/contract';
import type { SiteRecord } from '@bindery/models';

/** The adaptive schema of a site; without one, no claims. */
export function adaptiveSchemaOf({ adaptiveSchema }: Pick<SiteRecord, 'adaptiveSchema'>): AdaptiveJsonSchema {
  // Stored as text, because the names of claims are field names in it, and MongoDB does not accept all of
  // them, such as `$schema`.
  return adaptiveSchema
    ? (JSON.parse(adaptiveSchema.jsonSchema) as AdaptiveJsonSchema)
    : { type: 'object', properties: {}, additionalProperties: false };
}
