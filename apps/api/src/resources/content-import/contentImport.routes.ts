import { ApplyTemplate, ImportContent, ImportContentResult } from '@bindery/contract';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { inSpace } from '../space/space.scope.ts';
import { applyTemplateToSpace } from './applyTemplateToSpace.ts';
import { importContent } from './importContent.ts';

const description =
  'Waits for the worker, for a minute at most. New pages come behind those that are there, in one revision: all of them or none. ' +
  'While the import goes on the answer is 503, and `Link` names its job; the same request joins it.';
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
    async ({ space, actor, body: { url, source }, request, reply }) =>
      importContent({ target: { space }, source, from: { url }, at: 'body.url', actor, request, reply }),
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
    async ({ space, changeRequest, actor, body: { url, source }, request, reply }) =>
      importContent({ target: { space, changeRequest }, source, from: { url }, at: 'body.url', actor, request, reply }),
  ),

  inSpace.post(
    '/content/template',
    {
      operationId: 'applyTemplateToSpace',
      summary: 'Add the pages of a template to a space',
      description: 'They come behind those that are there, in one revision: of the main content, or of a change request.',
      permission: 'space.edit',
      tags,
      body: ApplyTemplate,
      status: 204,
      idempotent: true,
    },
    async ({ space, actor, body }) => applyTemplateToSpace({ space, actor, ...body }),
  ),
];
