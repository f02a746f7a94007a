import type { AdaptiveJsonSchema } from '@bindery/contract';
import type { SiteRecord } from '@bindery/models';

/** What is known of the visitors of a site: nothing, until somebody said what. */
export function adaptiveSchemaOf({ adaptiveSchema }: Pick<SiteRecord, 'adaptiveSchema'>): AdaptiveJsonSchema {
  // Kept as text: the names of claims are names of fields there, and may be what MongoDB does not take for
  // one, such as `$schema`.
  return adaptiveSchema
    ? (JSON.parse(adaptiveSchema.jsonSchema) as AdaptiveJsonSchema)
    : { type: 'object', properties: {}, additionalProperties: false };
}
