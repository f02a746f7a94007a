import {
  ApplyTemplate,
  GitDryRun,
  ImportContent,
  ImportContentResult,
  ImportFolder,
} from '@bindery/contract';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { inSpace } from '../space/space.scope.ts';
import { applyTemplateToSpace } from './applyTemplateToSpace.ts';
import { importContent } from './importContent.ts';
import { startFolderImport } from './startFolderImport.ts';

const description =
  'Waits for the worker for up to one minute. Appends the new pages in one revision, all or none. If the import is still ' +
  'running, the answer is 503, and `Link` names its job; the same request joins it. With an `Idempotency-Key` it ' +
  'does so also when the job has ended, unless that failed.';
const tags = ['Content import'];

export const contentImportRoutes = [
  inSpace.post(
    '/content/import',
    {
      operationId: 'importContent',
      summary: 'Import content from a URL into a space',
      description,
      permission: 'space.edit',
      tags,
      body: ImportContent,
      response: ImportContentResult,
      startsJob: true,
      idempotent: true,
    },
    async ({ platform, space, actor, body: { url, source }, request, reply }) =>
      importContent({
        platform,
        target: { space },
        source,
        from: { url },
        at: 'body.url',
        actor,
        request,
        reply,
      }),
  ),

  inChangeRequest.post(
    '/content/import',
    {
      operationId: 'importContentInChangeRequest',
      summary: 'Import content from a URL into a change request',
      description,
      permission: 'space.edit',
      tags,
      body: ImportContent,
      response: ImportContentResult,
      startsJob: true,
      idempotent: true,
    },
    async ({ platform, space, changeRequest, actor, body: { url, source }, request, reply }) =>
      importContent({
        platform,
        target: { space, changeRequest },
        source,
        from: { url },
        at: 'body.url',
        actor,
        request,
        reply,
      }),
  ),

  inSpace.post(
    '/content/folder',
    {
      operationId: 'importFolder',
      summary: 'Import an uploaded folder into a change request',
      description:
        'The folder has the format of git sync, and comes in ZIP archives. Answers at once and starts a job, named by ' +
        '`X-Job-Id` and `Link`; its `result` has the changes and the id of the change request. If the folder ' +
        'changes nothing, nothing is written.',
      permission: 'space.edit',
      tags,
      query: GitDryRun,
      body: ImportFolder,
      status: 204,
      startsJob: true,
      idempotent: true,
    },
    async ({ platform, space, actor, body, query: { dryRun }, reply, request }) => {
      const { traceparent } = request;
      const job = await startFolderImport({ platform, space, actor, body, dryRun, traceparent });
      reply.startedJob(job._id);
    },
  ),

  inSpace.post(
    '/content/template',
    {
      operationId: 'applyTemplateToSpace',
      summary: 'Add the pages of a template to a space',
      description: 'Appends the pages in one revision, to the main content or to a change request.',
      permission: 'space.edit',
      tags,
      body: ApplyTemplate,
      status: 204,
      idempotent: true,
    },
    async ({ platform, space, actor, body }) => applyTemplateToSpace({ platform, space, actor, ...body }),
  ),
];
