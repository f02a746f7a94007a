import { excerptsFor, specsNamedBy } from '@bindery/content';
import { GetOpenAPIExcerpts, OpenAPIExcerpts } from '@bindery/contract';
import { findReadableSpecs } from './shown/readableSpecs.ts';
import { inOrganization } from '../organization/organization.scope.ts';

export const openapiExcerptsRoutes = [
  inOrganization.post(
    '/openapi-excerpts',
    {
      operationId: 'getOpenAPIExcerpts',
      summary: 'Get the parts of API specifications that blocks of a document show',
      description:
        'Of the latest version of each specification that you can view. Blocks of others, and of parts that do not exist, add nothing.',
      permission: 'organization.view',
      tokenScope: 'read',
      tags: ['OpenAPI specification'],
      bodySize: 'large',
      body: GetOpenAPIExcerpts,
      response: OpenAPIExcerpts,
    },
    async ({ platform, organization, actor, body: { blocks } }) => {
      const view = { platform, organization: organization._id, reader: { actor } };
      const specs = await findReadableSpecs(specsNamedBy(blocks), view);
      return { excerpts: Object.fromEntries(await excerptsFor(blocks, specs)) };
    },
  ),
];
