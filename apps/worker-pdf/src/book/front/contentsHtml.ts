import type { BookEntry } from '../plan/bookEntries.ts';
import { htmlText } from '../sheets/htmlText.ts';
import { titleText } from '../sheets/titleText.ts';

export type ContentsFacts = {
  /** The number that is printed on the sheet of an entry; undefined for one without a sheet. */
  numberOf: (id: string) => number | undefined;
  /** The address of a link; undefined when it leads nowhere. */
  hrefOf: (entry: BookEntry) => string | undefined;
};

/** The contents: all entries, with links to their headings and the numbers of their sheets. */
export function contentsHtml(entries: readonly BookEntry[], facts: ContentsFacts): string {
  return `<nav class="front-part contents"><h1 id="contents">Contents</h1>${listOf(entries, facts)}</nav>`;
}

function listOf(entries: readonly BookEntry[], facts: ContentsFacts): string {
  if (entries.length === 0) return '';
  const rows = entries.map((entry) => `<li>${rowOf(entry, facts)}${listOf(entry.children, facts)}</li>`);
  return `<ol>${rows.join('')}</ol>`;
}

function rowOf(entry: BookEntry, { numberOf, hrefOf }: ContentsFacts): string {
  const { id, page } = entry;
  const title = `<span class="title" dir="auto">${htmlText(titleText(entry.title))}</span>`;
  if (page.type === 'link') {
    const href = hrefOf(entry);
    return href === undefined
      ? `<span class="entry">${title}</span>`
      : `<a href="${htmlText(href)}">${title}</a>`;
  }
  const number = numberOf(id);
  // A group that only has links has no sheet.
  if (number === undefined) return `<span class="entry group">${title}</span>`;
  const name = page.type === 'group' ? ' class="group"' : '';
  return `<a${name} href="#${id}">${title}<span class="dots"></span><span class="number">${number}</span></a>`;
}
