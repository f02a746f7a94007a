import { invalid, lintRuleNames, OpenAPISettings, ReplaceOpenAPISettings } from '@bindery/contract';
import { Organization, type OrganizationRecord } from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';
import { inOrganization } from '../organization/organization.scope.ts';

const tags = ['OpenAPI specification'];

export const openapiSettingsRoutes = [
  inOrganization.get(
    '/openapi-settings',
    {
      operationId: 'getOpenAPISettings',
      summary: 'Get the severities of rules for the API specifications of an organization',
      permission: 'organization.view',
      tags,
      response: OpenAPISettings,
      etag: true,
    },
    async ({ organization: { version, openapiSettings }, reply }) => {
      reply.version(version);
      return openapiSettings ?? { changeSeverities: {}, lintSeverities: {} };
    },
  ),

  inOrganization.put(
    '/openapi-settings',
    {
      operationId: 'replaceOpenAPISettings',
      summary: 'Set the severities of rules for the API specifications of an organization',
      description:
        'Replaces all of them. They apply to comparisons from now on, and to versions published from now on.',
      permission: 'organization.admin',
      tags,
      body: ReplaceOpenAPISettings,
      response: OpenAPISettings,
      etag: true,
    },
    async ({ organization, body, reply }) => {
      // Loaded only here: few processes ever need it.
      const { rules } = await import('@bindery/openapi-diff');
      checkNames(body.changeSeverities, { part: 'changeSeverities', known: Object.keys(rules) });
      checkNames(body.lintSeverities, { part: 'lintSeverities', known: lintRuleNames });
      const changed = await changeRecord<OrganizationRecord>(Organization, organization, {
        openapiSettings: body,
      });
      reply.version(changed.version);
      return body;
    },
  ),
];

/** @throws invalid_request for the first unknown rule */
function checkNames(
  severities: Record<string, string>,
  { part, known }: { part: string; known: readonly string[] },
): void {
  const names = new Set(known);
  const unknown = Object.keys(severities).find((name) => !names.has(name));
  if (unknown !== undefined)
    throw invalid(
      `body.${part}.${unknown}`,
      'is not the name of a rule; docs/openapi.md names the lists of rules.',
    );
}
