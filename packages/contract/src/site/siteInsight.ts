import { z } from 'zod';
import { fromDigits, Id, text } from '../input/input.ts';

/** How helpful a page was to a reader. */
export const feedbackRatings = ['bad', 'ok', 'good'] as const;
export type FeedbackRating = (typeof feedbackRatings)[number];

const event = z.object({
  session: z.object({ visitorId: text(0, 256), sessionId: text(0, 256) }),
  location: z.object({
    url: text(1, 2048),
    siteSpace: Id.nullable().optional(),
    page: Id.nullable().optional(),
  }),
  timestamp: z.iso.datetime({ offset: true }).optional(),
});

/** An event that a published site reports about a visitor. */
const SiteInsightsEvent = z
  .discriminatedUnion('type', [
    event.extend({
      type: z.literal('page_post_feedback'),
      feedback: z.object({ rating: z.enum(feedbackRatings) }).optional(),
    }),
    event.extend({
      type: z.enum([
        ...(['page_view', 'page_markdown_request', 'page_post_feedback_comment', 'link_click'] as const),
        ...([
          'search_open',
          'search_type_query',
          'search_open_result',
          'ask_question',
          'ask_view',
          'ask_rate_response',
        ] as const),
        ...([
          'agent_feedback',
          'api_client_open',
          'api_client_request',
          'trademark_click',
          'ad_click',
          'ad_display',
        ] as const),
        ...(['llms_request', 'mcp_request', 'rss_request'] as const),
      ]),
    }),
  ])
  .meta({ id: 'SiteInsightsEvent' });
export type SiteInsightsEvent = z.output<typeof SiteInsightsEvent>;

export const TrackSiteEvents = z
  .object({ events: z.array(SiteInsightsEvent).max(1000) })
  .meta({ id: 'TrackSiteEvents' });

/** The most months that answers are kept and counted for. */
export const maxFeedbackMonths = 24;

export const SiteFeedbackQuery = z.object({
  months: fromDigits(z.int().min(1).max(maxFeedbackMonths).default(3)).describe(
    'The number of calendar months in UTC, the present one included.',
  ),
});

/** The answers of readers to the question whether a page was helpful. */
export const SitePageFeedback = z
  .object({
    object: z.literal('site-page-feedback'),
    siteSpace: z.string(),
    page: z.string(),
    title: z
      .string()
      .optional()
      .describe('Absent, as `path`, when the page is gone, or in a space that the caller may not read.'),
    path: z.string().optional(),
    bad: z.int(),
    ok: z.int(),
    good: z.int(),
  })
  .meta({ id: 'SitePageFeedback' });
export type SitePageFeedback = z.infer<typeof SitePageFeedback>;
