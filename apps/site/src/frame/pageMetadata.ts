import {
  findHistoryAt,
  historyPoint,
  isTextOfBranch,
  loadPageHistory,
  type PageEntry,
  type PageTree,
} from '@bindery/content';
import { html, type Html, type Value } from '@bindery/html';
import type { Visit } from '@bindery/publishing';
import type { Words } from '@bindery/render';
import { LRUCache } from 'lru-cache';

type Place = { visit: Visit; language: string; words: Words };

/** Further contributors are counted. */
const maxNames = 5;

/**
 * The time of the last change of a page, and who changed it: in its branch, where its space is synchronized
 * with git. Readers see names without e-mails.
 */
export async function writePageMetadata(page: PageTree, { visit, language, words }: Place): Promise<Html> {
  const history = await findHistoryOf(page, visit);
  const time = history?.at === undefined ? page.updatedAt : new Date(history.at * 1_000).toISOString();
  const names = history ? namesIn(history) : [];
  return html`<p class="meta">${words.updated} <time datetime="${time}">${dayOf(time, language)}</time>${
    names.length > 0 && html`<br>${words.contributors} ${listOf(names, words)}`
  }</p>`;
}

/** The history of a page in the branch that its space is in sync with, unless its text was edited since. */
async function findHistoryOf(page: PageTree, { spaces, siteSpace }: Visit): Promise<PageEntry | undefined> {
  const space = spaces.get(siteSpace.space);
  if (!space || page.type !== 'document' || !page.git) return undefined;
  const record = await findHistoryAt(space._id, historyPoint(space));
  if (!record || !(await isTextOfBranch(page, record))) return undefined;
  const find = await loadPageHistory(record, [page.git.path]);
  return find(page.git);
}

/** The names of contributors, the last one first. One that contains an e-mail is left out. */
function namesIn({ by }: PageEntry): string[] {
  return [...new Set(by.map(({ name }) => name))].filter(
    (name) => name !== '' && !/[^\s<]@[^\s>]/.test(name),
  );
}

function listOf(names: readonly string[], words: Words): Value[] {
  const shown = names.slice(0, maxNames);
  const further = names.length - shown.length;
  const items = further > 0 ? [...shown, words.furtherPeople(further)] : shown;
  return new Intl.ListFormat(words.language)
    .formatToParts(items)
    .map(({ type, value }) => (type === 'element' ? html`<bdi>${value}</bdi>` : value));
}

/** One takes longer to make than a date to write. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

function dayOf(time: string, language: string): string {
  const format =
    formats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  formats.set(language, format);
  const date = new Date(time);
  // Formats throw where `toLocaleDateString` does not.
  return Number.isNaN(date.getTime()) ? time : format.format(date);
}
