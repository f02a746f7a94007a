import { routes } from '../../../apps/console/src/routes.ts';

/** The paths of all pages for signed-in users. */
export const pagesOfUsers: readonly string[] = routes.flatMap(({ method, admits, path }) =>
  method === 'get' && admits === 'users' ? [path] : [],
);
