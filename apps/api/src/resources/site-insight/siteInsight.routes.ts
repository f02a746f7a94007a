import { SiteFeedbackQuery, SitePageFeedback, TrackSiteEvents } from '@bindery/contract';
import { inReadableSite, inSite } from '../site/site.scope.ts';
import { countFeedbackIn } from './countFeedbackIn.ts';
import { pageOfFeedback } from './pageOfFeedback.ts';

export const siteInsightRoutes = [
  inReadableSite.post(
    '/insights/events',
    {
      operationId: 'trackEventsInSiteById',
      summary: 'Post events of visitors of a site',
      description:
        'Readers of published sites post these events. Of `page_post_feedback`, the rating is counted for a page that asks for it, ' +
        'once for each page in a request. All else is validated and discarded: this platform stores no data about visitors.',
      permission: 'site.view',
      tags: ['SiteInsight'],
      body: TrackSiteEvents,
    },
    async ({ body, ...reader }) => countFeedbackIn(body.events, reader),
  ),

  inSite.list(
    '/feedback',
    {
      operationId: 'listSiteFeedback',
      summary: 'List the pages of a site by how helpful their readers found them',
      description:
        'Sums the ratings of the last months for each page; the pages that most readers found bad come first. Pages without a ' +
        'rating are not there. Ratings are kept for 24 months.',
      permission: 'site.edit',
      tags: ['SiteInsight'],
      query: SiteFeedbackQuery,
      item: SitePageFeedback,
    },
    async ({ query, ...reader }) => pageOfFeedback(reader, query),
  ),
];
