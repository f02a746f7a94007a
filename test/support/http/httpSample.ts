import { Id, JsonObject, notFound, text, type ApiError } from '@bindery/contract';
import { z } from 'zod';
import type { Actor } from '../../../apps/api/src/http/actor.ts';
import { cutPage } from '../../../apps/api/src/http/answer/paging.ts';
import { open, root, type Route, type Scope } from '../../../apps/api/src/http/scope.ts';

/**
 * A small API in memory, for the tests of the HTTP layer: Ann administers the space `s1`, Bob reads it, no
 * user sees `hidden`.
 */
export function sampleRoutes(): Route[] {
  const notes = new Map([['n1', { id: 'n1', title: 'First' }]]);
  const roles: Record<string, Record<string, 'admin' | 'read'>> = {
    s1: { 'user-ann': 'admin', 'user-bob': 'read' },
    s2: { 'user-ann': 'read' },
    hidden: {},
  };

  const inSpace = root.scope({
    name: 'Space',
    path: '/spaces/:spaceId',
    params: { spaceId: Id },
    load: async ({ actor, params }) => {
      const role = roles[params.spaceId]?.[actor.user.id];
      if (!role) throw notFound('space', params.spaceId);
      return { space: { id: params.spaceId }, role, thread: `space ${params.spaceId}` };
    },
    permissions: ({ role }) => ({ 'space.view': true, 'space.admin': role === 'admin' }),
  });
  const inChangeRequest = inSpace.scope({
    name: 'ChangeRequest',
    path: '/change-requests/:changeRequestId',
    params: { changeRequestId: Id },
    load: async ({ params, space }) => {
      if (params.changeRequestId !== 'c1' && params.changeRequestId !== '1')
        throw notFound('change request', params.changeRequestId);
      return { thread: `change request c1 of ${space.id}` };
    },
    permissions: () => ({}),
  });

  /** The same routes on a space and on a change request. */
  const noteRoutes = (on: Scope<{ actor: Actor; thread: string }, 'space.view' | 'space.admin'>): Route[] => {
    const inNote = on.scope({
      name: on.name,
      path: '/notes/:noteId',
      params: { noteId: Id },
      load: async ({ params }) => {
        const note = notes.get(params.noteId);
        if (!note) throw notFound('note', params.noteId);
        return { note };
      },
      permissions: ({ actor }) => ({ 'note.delete': actor.user.isOperator }),
    });
    return [
      inNote.get(
        '',
        {
          operationId: `getNoteIn${on.name}`,
          summary: 'Get a note',
          permission: 'space.view',
          response: Note,
        },
        async ({ note, thread }) => ({
          ...note,
          thread,
        }),
      ),
      inNote.delete(
        '',
        { operationId: `deleteNoteIn${on.name}`, summary: 'Delete a note', permission: 'note.delete' },
        async ({ note }) => {
          notes.delete(note.id);
        },
      ),
      on.post(
        '/notes',
        {
          operationId: `createNoteIn${on.name}`,
          summary: 'Create a note',
          permission: 'space.admin',
          body: NewNote,
          response: Note,
          status: 201,
          idempotent: true,
        },
        async ({ body, thread }) => ({
          id: 'new',
          title: body.title,
          thread,
        }),
      ),
    ];
  };

  return [
    open.get(
      '/',
      {
        operationId: 'getVersion',
        summary: 'Get the version',
        permission: 'public',
        response: z.object({ version: z.string() }),
      },
      async () => ({ version: '1' }),
    ),
    root.get(
      '/user',
      {
        operationId: 'getUser',
        summary: 'Get oneself',
        permission: 'token',
        response: z.object({ id: z.string() }),
      },
      async ({ actor }) => ({ id: actor.user.id }),
    ),
    inSpace.get(
      '',
      {
        operationId: 'getSpace',
        summary: 'Get a space',
        permission: 'space.view',
        response: Space,
        etag: true,
      },
      async ({ space }) => space,
    ),
    inSpace.delete(
      '',
      { operationId: 'deleteSpace', summary: 'Delete a space', permission: 'space.admin' },
      async () => {},
    ),
    inSpace.post(
      '/import',
      { operationId: 'importSpace', summary: 'Import', permission: 'space.admin', startsJob: true },
      async ({ reply }) => reply.startedJob('job1'),
    ),
    inSpace.put(
      '/tree',
      {
        operationId: 'putTree',
        summary: 'Put a tree',
        permission: 'space.admin',
        bodySize: 'large',
        body: z.object({ tree: JsonObject }),
      },
      async () => {},
    ),
    inSpace.get(
      '/versions/latest',
      { operationId: 'getLatest', summary: 'Get the latest', permission: 'space.view', response: Space },
      async () => ({ id: 'latest' }),
    ),
    inSpace.get(
      '/versions/:versionId',
      {
        operationId: 'getVersionById',
        summary: 'Get one',
        permission: 'space.view',
        params: { versionId: Id },
        response: Space,
      },
      async ({ params }) => ({ id: params.versionId }),
    ),
    inSpace.get(
      '/path/*pagePath',
      {
        operationId: 'getByPath',
        summary: 'Get by path',
        permission: 'space.view',
        params: { pagePath: z.string() },
        response: Space,
      },
      async ({ params }) => ({ id: params.pagePath }),
    ),
    inSpace.raw(
      'get',
      '/download',
      {
        operationId: 'download',
        summary: 'Download',
        permission: 'space.view',
        answers: [{ status: 200, description: 'The file.', contentType: 'text/plain' }],
      },
      async ({ space }, _request, response) => {
        response.setHeader('Content-Type', 'text/plain');
        response.write('file of ');
        response.end(space.id);
      },
    ),
    inSpace.delete(
      '/links/:linkId',
      {
        operationId: 'deleteLink',
        summary: 'Delete a link',
        permission: 'space.admin',
        params: { linkId: Id },
      },
      async ({ params }) => {
        throw notFound('link', params.linkId);
      },
    ),
    inSpace.delete(
      '/legacy',
      { operationId: 'deleteLegacy', summary: 'Delete the one', permission: 'space.admin' },
      async () => {},
    ),
    ...noteRoutes(inSpace),
    ...noteRoutes(inChangeRequest),
  ];
}

/** Routes for a list of the numbers from 1 to `total`, with a filter. */
export function numberRoutes(total: number): Route[] {
  const numbers = Array.from({ length: total }, (_, i) => ({ number: i + 1 }));
  return ['listNumbers', 'listOthers'].map((operationId) =>
    root.list(
      `/${operationId}`,
      {
        operationId,
        summary: 'List',
        permission: 'token',
        item: z.object({ number: z.int() }),
        query: z.object({ kind: z.string().optional() }),
        also: { stats: z.object({ all: z.int() }) },
      },
      async ({ query }) => {
        const start = query.after ? Number(query.after[0]) : 0;
        return {
          ...cutPage(numbers.slice(start, start + query.limit + 1), query.limit, ({ number }) => [number]),
          count: total,
          stats: { all: total },
        };
      },
    ),
  );
}

/** A route that fails with this error. */
export function failingRoute(error: () => ApiError | Error): Route {
  return root.get(
    '/failing',
    { operationId: 'fail', summary: 'Fail', permission: 'token' },
    async ({ reply }) => {
      reply.header('Link', '<x>');
      throw error();
    },
  );
}

const Space = z.object({ id: z.string() }).meta({ id: 'Space' });
const Note = z.object({ id: z.string(), title: z.string(), thread: z.string() }).meta({ id: 'Note' });
const NewNote = z.object({
  title: text(1, 50),
  url: z.string().optional(),
  target: z.union([z.object({ page: Id }), z.object({ file: Id })]).optional(),
});
