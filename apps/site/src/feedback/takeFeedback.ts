import { countFeedback } from '@bindery/models';
import { asksForFeedback, decoded } from '@bindery/publishing';
import type { Answer, Redirect } from '../answer/answer.ts';
import { loadSiteContent } from '../page/siteContent.ts';
import { pagePath, sitePaths } from '../page/sitePaths.ts';
import { showNoPage } from '../page/showMessage.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { feedbackPath, thanksId } from './feedbackForm.ts';
import type { GivenFeedback } from './readFeedback.ts';

/** Counts the answer of a reader to a page that asks, and leads back to the page, which says thanks. */
export async function takeFeedback(
  { page, rating }: GivenFeedback,
  open: OpenVisit,
): Promise<Answer | Redirect> {
  const { visit, visitor } = open;
  const { site, siteSpace } = visit;
  const paths = sitePaths(visit);
  const isHere = visit.page.map(decoded).join('/') === feedbackPath;
  const content = isHere && !visitor.isPreview ? await loadSiteContent(siteSpace.space, open) : undefined;
  const found = content?.pages.byId.get(page);
  if (!content || !found || !asksForFeedback(found.page, visit)) return showNoPage(open, paths);
  await countFeedback([{ site: site._id, siteSpace: siteSpace._id, page, rating }], new Date());
  const path = pagePath(found.page, { base: paths.own, pages: content.pages });
  return { status: 303, location: `${path}#${thanksId}` };
}
