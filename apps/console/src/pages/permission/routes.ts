import { apiPath } from '@bindery/runtime';
import type { Route } from '../../http/route.ts';
import { belowCollection, loadCollection } from '../collection/collection.ts';
import { belowSpace, loadSpace } from '../space/space.ts';
import { permissionRoutes } from './permissions.ts';

/** The permissions on spaces and collections. */
export const contentPermissionRoutes: readonly Route[] = [
  ...permissionRoutes({
    place: '/spaces/:space/permissions',
    api: ({ space = '' }) => apiPath`/spaces/${space}`,
    kind: 'space',
    load: async (visit) => {
      const space = await loadSpace(visit);
      const { organization, title, permissions } = space;
      return { organization, title, isAdmin: permissions.admin, above: belowSpace(space) };
    },
  }),
  ...permissionRoutes({
    place: '/collections/:collection/permissions',
    api: ({ collection = '' }) => apiPath`/collections/${collection}`,
    kind: 'collection',
    load: async (visit) => {
      const collection = await loadCollection(visit);
      const { organization, title, permissions } = collection;
      return { organization, title, isAdmin: permissions.admin, above: belowCollection(collection) };
    },
  }),
];
