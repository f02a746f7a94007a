import type { SiteInsightsEvent } from '@bindery/contract';
import { countFeedback, type NewFeedback } from '@bindery/models';
import { asksForFeedback, siteContext } from '@bindery/publishing';
import { readableBy } from '../../permissions/access.ts';
import { loadVisibleTree, type SiteReader } from '../site/siteView.ts';

/** Further pages in one request are left out: a reader rates one after the other. */
const maxPages = 20;

/**
 * Counts the ratings in events, one for each page. Leaves out those of pages that the reader does not see, or
 * that do not ask.
 */
export async function countFeedbackIn(
  events: readonly SiteInsightsEvent[],
  reader: SiteReader,
): Promise<void> {
  const { platform, organization, site, member, visitor } = reader;
  const ratings = ratingsIn(events, site._id);
  if (ratings.length === 0 || visitor?.isPreview) return;
  const tree = await loadVisibleTree(reader);
  const { contentOf, isShown } = siteContext({
    links: platform.links,
    organization,
    site,
    tree,
    visitor,
    mayRead: member && readableBy(member),
  });
  const asked: NewFeedback[] = [];
  for (const given of ratings) {
    const siteSpace = tree.siteSpaces.find(({ _id }) => _id === given.siteSpace);
    const content = siteSpace && (await contentOf(siteSpace));
    const found = content && (await content.pages()).byId.get(given.page);
    if (found && isShown(found) && asksForFeedback(found.page, { site, siteSpace })) asked.push(given);
  }
  await countFeedback(asked, new Date());
}

/** The last rating of each page. */
function ratingsIn(events: readonly SiteInsightsEvent[], site: string): NewFeedback[] {
  const found = new Map<string, NewFeedback>();
  for (const event of events) {
    const { siteSpace, page } = event.location;
    if (event.type !== 'page_post_feedback' || !event.feedback || !siteSpace || !page) continue;
    found.set(`${siteSpace} ${page}`, { site, siteSpace, page, rating: event.feedback.rating });
  }
  return [...found.values()].slice(0, maxPages);
}
