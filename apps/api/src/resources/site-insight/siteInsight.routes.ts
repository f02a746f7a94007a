import { TrackSiteEvents } from '@bindery/contract';
import { inReadableSite } from '../site/site.scope.ts';

export const siteInsightRoutes = [
  inReadableSite.post(
    '/insights/events',
    {
      operationId: 'trackEventsInSiteById',
      summary: 'Post events of visitors of a site',
      description:
        'Readers of published sites post these events. They are validated and discarded: this platform stores no data about visitors.',
      permission: 'site.view',
      tags: ['SiteInsight'],
      body: TrackSiteEvents,
    },
    async () => {},
  ),
];
