import type { Route } from '../../http/route.ts';
import { permissionRoutes } from '../permission/permissions.ts';
import { customizationRoutes } from './customization.ts';
import { feedbackRoutes } from './feedback.ts';
import { loadSite, siteApi, sitePlace } from './frame.ts';
import { hostnameRoutes } from './hostname.ts';
import { redirectRoutes } from './redirects.ts';
import { shareLinkRoutes } from './shareLinks.ts';
import { siteRoutes } from './site.ts';
import { structureRoutes } from './structure.ts';

/** The pages of a site. */
export const allSiteRoutes: readonly Route[] = [
  ...siteRoutes,
  ...structureRoutes,
  ...customizationRoutes,
  ...feedbackRoutes,
  ...shareLinkRoutes,
  ...redirectRoutes,
  ...hostnameRoutes,
  ...permissionRoutes({
    place: `${sitePlace}/permissions`,
    api: siteApi,
    kind: 'site',
    load: async (visit) => {
      const { title, permissions } = await loadSite(visit);
      const { organization = '', site = '' } = visit.params;
      const path = `/organizations/${organization}`;
      return {
        organization,
        title,
        isAdmin: permissions.admin,
        above: [
          { name: 'Organization', path },
          { name: title, path: `${path}/sites/${site}` },
        ],
      };
    },
  }),
];
