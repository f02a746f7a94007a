import { SiteIntegrationScript } from '@bindery/contract';
import { z } from 'zod';
import { inReadableSite } from '../site/site.scope.ts';

export const siteScriptRoutes = [
  inReadableSite.get(
    '/integration-scripts',
    {
      operationId: 'listSiteIntegrationScripts',
      summary: 'List the scripts of integrations on the pages of a site',
      description: 'Always an empty list: this platform has no integrations.',
      permission: 'site.view',
      tags: ['SiteScript'],
      response: z.array(SiteIntegrationScript),
    },
    async () => [],
  ),
];
