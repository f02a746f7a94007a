import { html } from '@bindery/html';
import type { Answer } from '../answer/answer.ts';
import { showMessage } from '../page/showMessage.ts';
import type { SitePlace } from '../page/siteContents.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { siteWords } from '../visit/language.ts';
import { findResults } from './findResults.ts';

const maxResults = 20;

/** The results of a search as a page. */
export async function showSearch(open: OpenVisit, { paths, platform }: SitePlace): Promise<Answer> {
  const words = siteWords(open);
  const { query, count, results } = await findResults(open, { paths, platform, maxResults });
  const items = results.map(
    ({ href, title, above, text }) => html`<li><a href="${href}">${title}</a>
${above.length > 0 && html`<p>${above.join(' / ')}</p>`}
${text !== '' && html`<p>${text}</p>`}</li>`,
  );
  const title = query === '' ? words.search : `${words.search}: ${query}`;
  const summary = query === '' ? words.enterWords : words.pagesFound(count);
  const main = html`<p role="status">${summary}</p><ol class="results">${items}</ol>`;
  return showMessage(open, { title, main, paths, query });
}
