import { TrackSiteEvents } from '@bindery/contract';
import { inReadableSite } from '../site/site.scope.ts';

export const siteInsightRoutes = [
  inReadableSite.post(
    '/insights/events',
    {
      operationId: 'trackEventsInSiteById',
      summary: 'Tell what the visitors of a site do',
      description:
        'Readers of published sites post these events. They are checked and then dropped: this platform keeps nothing about visitors.',
      permission: 'site.view',
      tags: ['SiteInsight'],
      body: TrackSiteEvents,
    },
    async () => {},
  ),
];
