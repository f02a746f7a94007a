import { answerOf, type Answer } from '../answer/answer.ts';
import type { SitePlace } from '../page/siteContents.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { siteWords } from '../visit/language.ts';
import { findResults, type Result } from './findResults.ts';

const maxResults = 8;
const maxTitle = 100;
/** The first match stands within the first 80 characters of a text. */
const maxText = 140;
/** An answer comes with each word that is typed, so it fits into two packets. */
const maxBytes = 3_000;

/**
 * The results of a search as JSON, for the search that answers as a reader types: the best that fit into
 * 3 kB, and a sentence with the number of all.
 */
export async function answerSearch(open: OpenVisit, { paths, platform }: SitePlace): Promise<Answer> {
  const words = siteWords(open);
  const { query, count, results } = await findResults(open, { paths, platform, maxResults });
  const status = query === '' ? words.enterWords : words.pagesFound(count);
  const shown = results.map(shortened);
  const write = () => JSON.stringify({ status, results: shown });
  while (shown.length > 0 && Buffer.byteLength(write()) > maxBytes) shown.pop();
  return answerOf(write(), { contentType: 'application/json; charset=utf-8' });
}

function shortened({ href, title, above, text }: Result) {
  return {
    href,
    title: cut(title, maxTitle),
    above: cut(above.join(' / '), maxTitle),
    text: cut(text, maxText),
  };
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed().trimEnd()}…`;
}
