import { excerptsFor, specsNamedBy } from '@bindery/content';
import { GetOpenAPIExcerpts, OpenAPIExcerpts } from '@bindery/contract';
import { maxSpecNames } from '@bindery/publishing';
import { findReadableSpecs } from './shown/readableSpecs.ts';
import { inOrganization } from '../organization/organization.scope.ts';

export const openapiExcerptsRoutes = [
  inOrganization.post(
    '/openapi-excerpts',
    {
      operationId: 'getOpenAPIExcerpts',
      summary: 'Get the parts of API specifications that blocks of a document show',
      description:
        'Of the latest version of each specification that you can view, for the first 20 specifications that the blocks name. Blocks of other specifications, and of parts that do not exist, add nothing.',
      permission: 'organization.view',
      tokenScope: 'read',
      tags: ['OpenAPI specification'],
      bodySize: 'large',
      body: GetOpenAPIExcerpts,
      response: OpenAPIExcerpts,
    },
    async ({ platform, organization, actor, request: { signal }, body: { blocks } }) => {
      const view = { platform, organization: organization._id, reader: { actor } };
      const names = new Set([...specsNamedBy(blocks)].slice(0, maxSpecNames));
      const specs = await findReadableSpecs(names, view);
      return { excerpts: Object.fromEntries(await excerptsFor(blocks, specs, { signal })) };
    },
  ),
];
