import type { IncomingMessage, ServerResponse } from 'node:http';
import { cacheControl } from '../answer/sendAnswer.ts';
import { customPartsOf } from '../frame/customParts.ts';
import type { SiteContent } from '../page/siteContent.ts';
import { below, type SitePaths } from '../page/sitePaths.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { pageCardOf, type PageCard } from './pageCard.ts';

/** The path of the card of a page. */
export function cardPath(page: string, { hash }: PageCard, { own }: SitePaths): string {
  return below(own, `~/card/${encodeURIComponent(page)}/${hash}.png`);
}

/**
 * Sends the card of a page that the visitor sees.
 *
 * @returns whether there is one with this hash; otherwise nothing was sent
 */
export async function sendCard(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { visit, visitor }: OpenVisit,
  {
    asked,
    content,
    platform,
  }: { asked: { page: string; name: string }; content: SiteContent; platform: SitePlatform },
): Promise<boolean> {
  const found = content.pages.byId.get(asked.page);
  const card =
    found && pageCardOf(found.page, { ...(await customPartsOf({ visit })), fonts: platform.cardFonts });
  if (!card || asked.name !== `${card.hash}.png`) return false;
  const bytes = await platform.cards.draw(card);
  if (!bytes) return false;
  response.writeHead(200, {
    'Content-Type': 'image/png',
    'Content-Length': bytes.length,
    'Cache-Control': cacheControl[visitor.isAnybody ? 'for ever' : 'one visitor'],
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
  return true;
}
