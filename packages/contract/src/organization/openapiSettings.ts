import { z } from 'zod';
import { mapOf, text } from '../input/input.ts';

/** The rules of Redocly for OpenAPI documents whose severity an organization can set. */
export const lintRuleNames: readonly string[] = [
  'array-parameter-serialization',
  'boolean-parameter-prefixes',
  'component-name-unique',
  'info-contact',
  'info-license',
  'info-license-strict',
  'no-ambiguous-paths',
  'no-duplicated-enum-values',
  'no-duplicated-tag-names',
  'no-empty-servers',
  'no-enum-type-mismatch',
  'no-example-value-and-externalValue',
  'no-http-verbs-in-paths',
  'no-identical-paths',
  'no-illogical-composition-keywords',
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-mixed-number-range-constraints',
  'no-path-trailing-slash',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
  'no-server-example.com',
  'no-server-trailing-slash',
  'no-server-variables-empty-enum',
  'no-undefined-server-variable',
  'no-unresolved-refs',
  'no-unsafe-markdown',
  'no-unused-components',
  'nullable-type-sibling',
  'operation-2xx-response',
  'operation-4xx-problem-details-rfc7807',
  'operation-4xx-response',
  'operation-description',
  'operation-operationId',
  'operation-operationId-unique',
  'operation-operationId-url-safe',
  'operation-parameters-unique',
  'operation-singular-tag',
  'operation-summary',
  'operation-tag-defined',
  'parameter-description',
  'path-declaration-must-exist',
  'path-http-verbs-order',
  'path-not-include-query',
  'path-parameters-defined',
  'path-params-defined',
  'path-segment-plural',
  'paths-kebab-case',
  'request-mime-type',
  'required-string-property-missing-min-length',
  'response-contains-header',
  'response-contains-property',
  'response-mime-type',
  'scalar-property-missing-example',
  'security-defined',
  'security-scopes-defined',
  'spec-components-invalid-map-name',
  'spec-discriminator-defaultMapping',
  'spec-example-values',
  'spec-no-invalid-encoding-combinations',
  'spec-no-invalid-tag-parents',
  'spec-querystring-parameters',
  'spec-ref-siblings',
  'spec-strict-refs',
  'struct',
  'tag-description',
  'tags-alphabetical',
];

const ruleName = text(1, 100);
const changeSeverities = mapOf(ruleName, z.enum(['breaking', 'warning', 'info', 'off'])).describe(
  'Severity of rules for changes between versions, by rule. Other rules keep theirs.',
);
const lintSeverities = mapOf(ruleName, z.enum(['error', 'warning', 'off'])).describe(
  "Severity of rules for style, by Redocly's name. Others keep that of `recommended`.",
);

/** How strictly an organization takes the rules for its API specifications. */
export const OpenAPISettings = z.object({ changeSeverities, lintSeverities }).meta({ id: 'OpenAPISettings' });
export type OpenAPISettings = z.infer<typeof OpenAPISettings>;

/** Replaces all severities: a rule that is not named gets its own severity back. */
export const ReplaceOpenAPISettings = z
  .strictObject({
    changeSeverities: changeSeverities.default({}),
    lintSeverities: lintSeverities.default({}),
  })
  .meta({ id: 'ReplaceOpenAPISettings' });
