import type { Route } from './http/scope.ts';
import { allContentRoutes } from './resources/content/content.routes.ts';
import { gitRoutes } from './resources/git/git.routes.ts';
import { jobRoutes } from './resources/job/job.routes.ts';
import { organizationRoutes } from './resources/organization/organization.routes.ts';
import { platformRoutes } from './resources/platform/platform.routes.ts';
import { spaceRoutes } from './resources/space/space.routes.ts';
import { userRoutes } from './resources/user/user.routes.ts';

/** Every operation of the API. */
export const routes: readonly Route[] = [
  ...platformRoutes,
  ...userRoutes,
  ...organizationRoutes,
  ...spaceRoutes,
  ...allContentRoutes,
  ...gitRoutes,
  ...jobRoutes,
];
