import { ChangeRequest, ContentUpdate, UpdateContent, UpdateContentQuery } from '@bindery/contract';
import { z } from 'zod';
import { presentChangeRequest } from '../change-request/changeRequest.presenter.ts';
import { inChangeRequest } from '../change-request/changeRequest.scope.ts';
import { showUsers } from '../user/showUsers.ts';
import { presentContentUpdate } from './changeRequestContent.presenter.ts';
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
];
