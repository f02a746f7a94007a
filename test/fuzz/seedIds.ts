import type { Route } from '../../apps/api/src/http/scope.ts';
import { buildWorld, fill, placesOf, type World } from '../support/world.ts';
import type { WorldApi } from '../support/worldMakers.ts';

export type Seeds = {
  /** One of each object: what requests name that leave it where it is. */
  world: World;
  /** By place, many of each that can be deleted, for the operations that do. */
  destroyed: Record<string, string[]>;
  /** By place, one more below the same parents. */
  spare: Record<string, string>;
  extras: Extras;
};

type Extras = Record<
  | 'appUrl'
  | 'publishedUrl'
  | 'redirectSource'
  | 'otherOrganization'
  | 'leavingCollection'
  | 'leavingSpace'
  | 'deletedSpace',
  string
>;

/** A DELETE leaves fewer of them with each call. */
const destroyedIds = 150;
/**
 * Where there may not be so many, or where each makes everything around it slower: who may see something is
 * written beside all that it holds.
 */
const fewerIds: Record<string, number> = {
  '/orgs/:organizationId/sites/:siteId/share-links/:shareLinkId': 80,
  '/orgs/:organizationId/webhooks/:webhookId': 15,
  ...Object.fromEntries(
    ['/spaces/:spaceId', '/collections/:collectionId', '/orgs/:organizationId/sites/:siteId'].flatMap(
      (content) => [
        [`${content}/permissions/users/:userId`, 50],
        [`${content}/permissions/teams/:teamId`, 50],
      ],
    ),
  ),
};
const atOnce = 6;

/** @param fuzzed  the operations that will be called: for the others nothing needs to be there in numbers */
export async function seedIds(
  api: WorldApi,
  { routes, fuzzed }: { routes: readonly Route[]; fuzzed: readonly Route[] },
): Promise<Seeds> {
  const world = await buildWorld(
    api,
    routes.map(({ path }) => path),
  );
  const destroyed: Record<string, string[]> = {};
  for (const { kind, path } of fuzzed) {
    if (kind === 'delete' && placesOf(path).at(-1) === path)
      destroyed[path] = await make(world, path, fewerIds[path] ?? destroyedIds);
  }
  const spare: Record<string, string> = {};
  for (const place of [
    '/collections/:collectionId',
    '/orgs/:organizationId/sites/:siteId/sections/:siteSectionId',
    '/spaces/:spaceId/change-requests/:changeRequestId',
  ])
    spare[place] = await world.make(place);
  return { world, destroyed, spare, extras: await makeExtras(api, world) };
}

async function make(world: World, place: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - ids.length) }, () => world.make(place));
    ids.push(...(await Promise.all(some)));
  }
  return ids;
}

async function makeExtras(api: WorldApi, world: World): Promise<Extras> {
  const send = async (method: string, path: string, json?: unknown) => {
    const { status, body } = await api.call(method, `/v1${fill(path, world.places)}`, {
      token: world.admin.token,
      json,
    });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const site = '/orgs/:organizationId/sites/:siteId';
  const deletedSpace = await world.make('/spaces/:spaceId');
  await send('DELETE', `/spaces/${deletedSpace}`);
  return {
    appUrl: (await send('GET', '/spaces/:spaceId')).urls.app,
    publishedUrl: (await send('POST', `${site}/publish`, {})).urls.published,
    redirectSource: (await send('GET', `${site}/redirects`)).items[0].source,
    otherOrganization: (await send('POST', '/orgs', { title: 'Another' })).id,
    leavingCollection: await world.make('/collections/:collectionId'),
    leavingSpace: await world.make('/spaces/:spaceId'),
    deletedSpace,
  };
}
