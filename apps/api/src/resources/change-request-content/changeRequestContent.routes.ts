import {
  ChangeRequest,
  ContentUpdate,
  PageDocumentQuery,
  PagePreview,
  PreviewPage,
  UpdateContent,
  UpdateContentQuery,
} from '@bindery/contract';
import { z } from 'zod';
import { presentChangeRequest } from '../change-request/changeRequest.presenter.ts';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { inChangeRequestContent } from '../content/content.scope.ts';
import { inPageOf } from '../content/page.scope.ts';
import { showUsers } from '../user/showUsers.ts';
import { presentContentUpdate } from './changeRequestContent.presenter.ts';
import { previewPage } from './previewPage.ts';
import { updateChangeRequestContent } from './updateChangeRequestContent.ts';

const Answer = z.union([ChangeRequest, ContentUpdate]).meta({ id: 'UpdatedChangeRequestContent' });

export const changeRequestContentRoutes = [
  inChangeRequest.post(
    '/content',
    {
      operationId: 'updateChangeRequestContent',
      summary: 'Change pages and files of a change request',
      description:
        'The changes are applied in order as one new revision, all or none. After a concurrent edit, they are applied to its result.',
      permission: 'space.edit',
      tags: ['Change request content'],
      query: UpdateContentQuery,
      body: UpdateContent,
      bodySize: 'large',
      response: Answer,
      etag: true,
      idempotent: true,
    },
    async ({
      platform,
      space,
      changeRequest,
      actor,
      member,
      query,
      body,
      reply,
    }): Promise<z.input<typeof Answer>> => {
      const { links } = platform;
      const edited = await updateChangeRequestContent(changeRequest, body.changes, {
        platform,
        editedBy: actor.user.id,
      });
      reply.version(edited.changeRequest.version);
      const userOf = await showUsers([edited.changeRequest.createdBy], { ...member, links });
      const presented = presentChangeRequest(edited.changeRequest, {
        links,
        userOf,
        mainRevision: space.revision,
      });
      return query.compat ? presented : presentContentUpdate(edited, { links, changeRequest: presented });
    },
  ),

  inPageOf(inChangeRequestContent).post(
    '/preview',
    {
      operationId: 'previewPageInChangeRequest',
      summary: 'Preview a page with another text',
      description:
        'Returns the document that the page would have with this Markdown. Saves nothing. References resolve as in the page.',
      permission: 'space.view',
      query: PageDocumentQuery,
      body: PreviewPage,
      bodySize: 'large',
      response: PagePreview,
    },
    async ({ platform: { links }, content: { revision }, reader, found, query, body }) =>
      previewPage(found, { links, revision, reader, query, markdown: body.markdown }),
  ),
];
