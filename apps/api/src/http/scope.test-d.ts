// Read by the compiler only: each line under `@ts-expect-error` must not compile.
import { Id, notFound } from '@bindery/contract';
import { z } from 'zod';
import type { Actor } from './actor.ts';
import { open, root, type Route, type Scope } from './scope.ts';

type Space = { id: string; title: string };
declare function findSpace(id: string): Promise<Space | undefined>;
declare function spacePermissions(at: {
  space: Space;
  role: 'admin' | 'read';
}): Record<'space.view' | 'space.admin', boolean>;
const Body = z.object({ title: z.string() });

const inSpace = root.scope({
  name: 'Space',
  path: '/spaces/:spaceId',
  params: { spaceId: Id },
  load: async ({ actor, params }) => {
    const space = await findSpace(params.spaceId);
    if (!space) throw notFound('space', params.spaceId);
    return {
      space,
      role: actor.user.isOperator ? ('admin' as const) : ('read' as const),
      thread: { space: space.id },
    };
  },
  permissions: spacePermissions,
});
const Order = z.object({ order: z.string() });
const ok = { operationId: 'x', summary: 'x', permission: 'space.view' } as const;

inSpace.get('', { ...ok, response: Body }, async ({ space, role, can, request }) => ({
  title: `${space.title} ${role} ${can['space.admin']} ${request.id}`,
}));
inSpace.get('', { ...ok, permission: 'token', response: Body }, async ({ params }) => ({
  title: params.spaceId,
}));

// @ts-expect-error a permission that this scope does not have
inSpace.get('', { ...ok, permission: 'space.edit', response: Body }, async ({ space }) => space);
// @ts-expect-error no permission at all
inSpace.get('', { operationId: 'x', summary: 'x', response: Body }, async ({ space }) => space);
// @ts-expect-error a context that no scope loads
inSpace.get('', { ...ok, response: Body }, async ({ site }) => site);
// @ts-expect-error a permission that `can` does not know
inSpace.get('', { ...ok, response: Body }, async ({ can }) => ({ title: String(can['space.edit']) }));
// @ts-expect-error a field that the body does not have
inSpace.post('', { ...ok, body: Body, response: Body }, async ({ body }) => ({ title: body.titel }));
// @ts-expect-error a parameter that the query does not have
inSpace.get('', { ...ok, query: Order, response: Body }, async ({ query }) => ({ title: query.ordr }));
// @ts-expect-error a parameter that the path does not have
inSpace.get('', { ...ok, response: Body }, async ({ params }) => ({ title: params.siteId }));
// @ts-expect-error a response of another shape
inSpace.get('', { ...ok, response: Body }, async ({ space }) => ({ name: space.title }));
// @ts-expect-error a body where none was declared
inSpace.post('', { ...ok, response: Body }, async ({ body }) => ({ title: body.title }));
// @ts-expect-error nobody is known where no token is asked for
open.get('/', { ...ok, permission: 'public', response: Body }, async ({ actor }) => ({ title: actor.id }));

inSpace.list(
  '/pages',
  { ...ok, item: Body, also: { stats: z.object({ pages: z.number() }) } },
  async ({ query }) => ({
    items: [{ title: String(query.after?.[0]) }],
    count: query.limit,
    next: ['a', 1],
    stats: { pages: 1 },
  }),
);
// @ts-expect-error a further field of the envelope is missing
inSpace.list('/pages', { ...ok, item: Body, also: { stats: z.number() } }, async () => ({
  items: [],
  count: 0,
}));

const inPage = inSpace.scope({
  name: 'Page',
  path: '/pages/:pageId',
  params: { pageId: Id },
  load: async ({ space, params }) => ({ page: { id: params.pageId, of: space.id }, role: 5 }),
  permissions: ({ page }) => ({ 'page.edit': page.id !== '' }),
});
// A nested scope keeps the context of its parents, overrides the parts that it loads again, and has the
// permissions of both.
inPage.patch(
  '',
  { ...ok, permission: 'page.edit', response: Body },
  async ({ space, page, role, params }) => ({
    title: `${space.title}${page.of}${role.toFixed()}${params.spaceId}${params.pageId}`,
  }),
);
inPage.delete('', { ...ok, permission: 'space.admin' }, async ({ page }) => void page);

/** Routes shared by two scopes. */
function commentRoutes(on: Scope<{ actor: Actor; thread: { space: string } }, 'space.view'>): Route[] {
  const inComment = on.scope({
    name: on.name,
    path: '/comments/:commentId',
    params: { commentId: Id },
    load: async ({ thread, params }) => ({ comment: { id: params.commentId, in: thread.space } }),
    permissions: ({ actor, comment }) => ({ 'comment.edit': comment.id === actor.user.id }),
  });
  return [
    on.list('/comments', { ...ok, item: Body }, async ({ thread }) => ({
      items: [{ title: thread.space }],
      count: 1,
    })),
    inComment.get('', { ...ok, permission: 'comment.edit', response: Body }, async ({ comment }) => ({
      title: comment.in,
    })),
  ];
}
commentRoutes(inSpace);
commentRoutes(inPage);
// @ts-expect-error a scope without a thread
commentRoutes(root);

inSpace.raw(
  'get',
  '/events',
  { ...ok, query: z.object({ wait: z.number() }), answers: [] },
  async ({ query, space }, _request, response) => {
    response.write(`${query.wait} ${space.id}`);
  },
);
