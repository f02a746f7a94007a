import { html, type Value } from '@bindery/html';
import { asksForFeedback } from '@bindery/publishing';
import { feedbackRatings } from '@bindery/contract';
import type { PageTree } from '@bindery/content';
import type { Words } from '@bindery/render';
import type { SiteContent } from '../page/siteContent.ts';
import { below, type SitePaths } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

type Place = Pick<OpenVisit, 'visit' | 'visitor'> & { content: SiteContent; paths: SitePaths; words: Words };

/** Where forms are sent, below a site space. */
export const feedbackPath = '~/feedback';

/** The id of the thanks, which are shown when the address names them: the page stays the same for all. */
export const thanksId = '~thanks';

/**
 * Asks whether a page was helpful. Pages made from a specification do not ask: their ids are those of one
 * version.
 */
export function writeFeedbackForm(page: PageTree, place: Place): Value {
  const { visit, visitor, content, paths, words } = place;
  const isMade = content.specPages?.documents.has(page.id);
  if (visitor.isPreview || isMade || !asksForFeedback(page, visit)) return null;
  const { question, thanks, ...names } = words.feedback;
  const action = below(paths.own, feedbackPath);
  const buttons = feedbackRatings.map(
    (rating) => html`<button name="rating" value="${rating}">${names[rating]}</button>`,
  );
  return html`<form class="feedback" method="post" action="${action}" aria-labelledby="~helpful">
<p id="~helpful">${question}</p>
<input type="hidden" name="page" value="${page.id}">
${buttons}
</form>
<p id="${thanksId}" class="thanks" role="status" tabindex="-1">${thanks}</p>`;
}
