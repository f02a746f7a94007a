import {
  CreateOpenAPISpec,
  forbidden,
  invalid,
  OpenAPISpec,
  OpenAPISpecSlug,
  PutOpenAPISpec,
  UpdateOpenAPISpec,
} from '@bindery/contract';
import { refreshSpec } from '@bindery/jobs';
import { openapiPermissions } from '../../permissions/openapi.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { createSpec } from './createSpec.ts';
import { deleteSpec } from './deleteSpec.ts';
import { findSpec } from './findSpec.ts';
import { atOpenAPISpecSlug, inOpenAPISpec } from './openapiSpec.scope.ts';
import { putSpec } from './putSpec.ts';
import { pageOfSpecs, showSpec } from './showSpecs.ts';
import { updateSpec } from './updateSpec.ts';

const tags = ['OpenAPI specification'];

export const openapiSpecRoutes = [
  inOrganization.list(
    '/openapi',
    {
      operationId: 'listOpenAPISpecs',
      summary: 'List the API specifications of an organization',
      permission: 'organization.view',
      tags,
      item: OpenAPISpec,
    },
    async ({ platform: { links }, member, query }) => pageOfSpecs({ links, member }, query),
  ),

  inOrganization.post(
    '/openapi',
    {
      operationId: 'createOpenAPISpec',
      summary: 'Add an API specification',
      description:
        'Answers at once and starts a job that fetches and validates it, named by `X-Job-Id` and `Link`.',
      permission: 'organization.createOpenAPISpec',
      tags,
      bodySize: 'specification',
      body: CreateOpenAPISpec,
      response: OpenAPISpec,
      idempotent: true,
      startsJob: true,
    },
    async ({ platform, organization, member, actor, body, request, reply }) => {
      const { links } = platform;
      const { spec, job } = await createSpec({
        platform,
        organization: organization._id,
        ...body,
        startedBy: actor.user.id,
        traceparent: request.traceparent,
      });
      reply.startedJob(job._id);
      return showSpec(spec, { links, member });
    },
  ),

  atOpenAPISpecSlug.put(
    '',
    {
      operationId: 'createOrUpdateOpenAPISpecBySlug',
      summary: 'Add an API specification or replace its source',
      description: 'If several sources are set in a row, the last one applies.',
      permission: 'organization.view',
      tags,
      bodySize: 'specification',
      body: PutOpenAPISpec,
      response: OpenAPISpec,
      etag: true,
      idempotent: true,
      startsJob: true,
      requires: ({ known, member, can }) => {
        // The answer must not tell a guest whether the specification exists.
        if (known && member.role !== null && !openapiPermissions(member, { seesSpec: true }).edit)
          throw forbidden('openapi.edit');
        if (!can['organization.createOpenAPISpec']) throw forbidden('organization.createOpenAPISpec');
      },
    },
    async ({ platform, organization, known, member, actor, params, body, request, reply }) => {
      const { links } = platform;
      const problem = known
        ? undefined
        : OpenAPISpecSlug.safeParse(params.specSlug).error?.issues[0]?.message;
      if (problem !== undefined) throw invalid('path.specSlug', problem);
      const { spec, job } = await putSpec({
        platform,
        organization: organization._id,
        slug: known?.slug ?? params.specSlug,
        source: body.source,
        startedBy: actor.user.id,
        traceparent: request.traceparent,
      });
      reply.startedJob(job._id);
      reply.version(spec.version);
      return showSpec(spec, { links, member });
    },
  ),

  inOpenAPISpec.get(
    '',
    {
      operationId: 'getOpenAPISpecBySlug',
      summary: 'Get an API specification',
      permission: 'openapi.view',
      response: OpenAPISpec,
      etag: true,
    },
    async ({ platform: { links }, spec, member, reply }) => {
      reply.version(spec.version);
      return showSpec(spec, { links, member });
    },
  ),

  inOpenAPISpec.patch(
    '',
    {
      operationId: 'updateOpenAPISpecBySlug',
      summary: 'Change the visibility of an API specification, or how often it is fetched',
      permission: 'openapi.edit',
      body: UpdateOpenAPISpec,
      response: OpenAPISpec,
      etag: true,
    },
    async ({ platform: { links, config }, spec, member, body, reply }) => {
      const changed = await updateSpec(spec, { ...body, standardMinutes: config.openapi.refreshMinutes });
      reply.version(changed.version);
      return showSpec(changed, { links, member });
    },
  ),

  inOpenAPISpec.post(
    '/refresh',
    {
      operationId: 'refreshOpenAPISpecBySlug',
      summary: 'Fetch the source of an API specification again',
      description: 'While it is being processed, the answer names the job that does so.',
      permission: 'openapi.edit',
      tags,
      response: OpenAPISpec,
      startsJob: true,
    },
    async ({ platform: { links }, spec, member, actor, request: { traceparent }, reply }) => {
      const job = await refreshSpec(spec, { startedBy: actor.user.id, traceparent });
      const present = (await findSpec(spec.organization, spec._id)) ?? spec;
      reply.startedJob(job?._id ?? present.job);
      return showSpec(present, { links, member });
    },
  ),

  inOpenAPISpec.delete(
    '',
    {
      operationId: 'deleteOpenAPISpecBySlug',
      summary: 'Remove an API specification with its versions',
      permission: 'openapi.edit',
    },
    async ({ spec }) => deleteSpec(spec._id),
  ),
];
