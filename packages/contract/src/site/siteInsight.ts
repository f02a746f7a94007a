import { z } from 'zod';
import { Id, text } from '../input/input.ts';

/** An event that a published site reports about a visitor. */
const SiteInsightsEvent = z
  .object({
    type: z.enum([
      ...([
        'page_view',
        'page_markdown_request',
        'page_post_feedback',
        'page_post_feedback_comment',
        'link_click',
      ] as const),
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
    session: z.object({ visitorId: text(0, 256), sessionId: text(0, 256) }),
    location: z.object({
      url: text(1, 2048),
      siteSpace: Id.nullable().optional(),
      page: Id.nullable().optional(),
    }),
    timestamp: z.iso.datetime({ offset: true }).optional(),
  })
  .meta({ id: 'SiteInsightsEvent' });

export const TrackSiteEvents = z
  .object({ events: z.array(SiteInsightsEvent).max(1000) })
  .meta({ id: 'TrackSiteEvents' });
