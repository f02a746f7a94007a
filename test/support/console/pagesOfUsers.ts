import { routes } from '../../../apps/console/src/routes.ts';

/** Pages load these; they are no pages. */
const loaded = [
  '/jobs/:job/events',
  '/spaces/:space/revisions/:revision/files/:file',
  '/organizations/:organization/translations/:translation/export',
  '/organizations/:organization/translation-memory',
  '/organizations/:organization/openapi/:spec/versions/:version/document',
];

/** The paths of all pages for signed-in users. */
export const pagesOfUsers: readonly string[] = routes.flatMap(({ method, admits, path }) =>
  method === 'get' && admits === 'users' && !loaded.includes(path) ? [path] : [],
);
