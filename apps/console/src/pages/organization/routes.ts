import type { Route } from '../../http/route.ts';
import { inviteLinkRoutes } from './inviteLink.ts';
import { inviteRoutes } from './invites.ts';
import { memberRoutes } from './members.ts';
import { contentRoutes } from './organization.ts';
import { organizationSettingsRoutes } from './settings.ts';
import { teamRoutes } from './teams.ts';

/** The pages of an organization. */
export const organizationRoutes: readonly Route[] = [
  ...contentRoutes,
  ...memberRoutes,
  ...teamRoutes,
  ...inviteRoutes,
  ...inviteLinkRoutes,
  ...organizationSettingsRoutes,
];
