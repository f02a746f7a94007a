import { ImportRun, ImportRunsQuery, StartImportRun } from '@bindery/contract';
import { cancelJob } from '@bindery/jobs';
import { inImportingOrganization } from '../organization/organization.scope.ts';
import { inImportRun } from './importRun.scope.ts';
import { pageOfImportRuns } from './pageOfImportRuns.ts';
import { showImportRun } from './showImportRuns.ts';
import { startImportRun } from './startImportRun.ts';

const tags = ['Content import'];

export const importRunRoutes = [
  inImportingOrganization.list(
    '/imports',
    {
      operationId: 'listImportRuns',
      summary: 'List the imports of an organization, newest first',
      description: 'Only imports into spaces that the caller can view.',
      permission: 'organization.view',
      tags,
      query: ImportRunsQuery,
      item: ImportRun,
    },
    async ({ platform: { links }, organization, member, query }) =>
      pageOfImportRuns({ links, organization, member }, query),
  ),

  inImportingOrganization.post(
    '/imports',
    {
      operationId: 'startImportRun',
      summary: 'Import a website or uploaded files into a space or a change request',
      description:
        'Answers at once and starts a job, named by `X-Job-Id` and `Link`. Requires permission to edit the space.',
      permission: 'organization.view',
      tags,
      body: StartImportRun,
      response: ImportRun,
      status: 201,
      startsJob: true,
      idempotent: true,
    },
    async ({ platform, organization, actor, body, request, reply }) => {
      const job = await startImportRun({
        platform,
        organization,
        actor,
        body,
        traceparent: request.traceparent,
      });
      reply.startedJob(job._id);
      return showImportRun(job, platform.links);
    },
  ),

  inImportRun.get(
    '',
    {
      operationId: 'getImportRun',
      summary: 'Get an import',
      permission: 'job.view',
      tags,
      response: ImportRun,
    },
    async ({ platform: { links }, job }) => showImportRun(job, links),
  ),

  inImportRun.post(
    '/cancel',
    {
      operationId: 'cancelImportRun',
      summary: 'Cancel an import',
      permission: 'job.control',
      tags,
      response: ImportRun,
    },
    async ({ platform: { links }, job }) => showImportRun(await cancelJob(job._id), links),
  ),
];
