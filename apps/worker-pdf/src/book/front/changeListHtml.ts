import type { ChangedItem, ChangeList, MovedItem } from '../changes/bookChanges.ts';
import { htmlText } from '../sheets/htmlText.ts';
import { titleText } from '../sheets/titleText.ts';

/** Further items of a list are only counted. */
const maxItems = 500;

type Heading = { id: string; level: number; title: string };

/**
 * The list of all changes: how many pages were added, changed, moved and removed, and which.
 *
 * @param hrefOf  leads to the heading of a printed page
 */
export function changeListHtml(
  { pages, others }: ChangeList,
  hrefOf: (page: string) => string | undefined,
): { html: string; headings: Heading[] } {
  const headings: Heading[] = [{ id: 'changes', level: 1, title: 'Changes' }];
  const parts: string[] = [];
  const add = (title: string, items: readonly string[]) => {
    if (items.length === 0) return;
    const id = `changes-${headings.length}`;
    headings.push({ id, level: 2, title });
    const rest = items.length > maxItems ? [`<li>and ${items.length - maxItems} more</li>`] : [];
    parts.push(
      `<h2 id="${id}">${htmlText(title)}</h2><ul>${[...items.slice(0, maxItems), ...rest].join('')}</ul>`,
    );
  };
  const row = (item: ChangedItem | MovedItem) => rowOf(item, hrefOf(item.id));
  add('Added pages', pages.added.map(row));
  add('Changed pages', pages.changed.map(row));
  add('Moved pages', pages.moved.map(row));
  add('Removed pages', pages.removed.map(row));
  for (const { kind, ...lists } of others)
    for (const how of ['added', 'changed', 'removed'] as const)
      add(
        `${kind} ${how}`,
        lists[how].map((name) => `<li dir="auto">${htmlText(name)}</li>`),
      );
  const counts = Object.entries({
    Added: pages.added,
    Changed: pages.changed,
    Moved: pages.moved,
    Removed: pages.removed,
  }).map(([name, items]) => `<tr><th scope="row">${name}</th><td>${items.length}</td></tr>`);
  const nothing = headings.length === 1 ? '<p>Nothing differs.</p>' : '';
  return {
    html:
      `<section class="front-part list"><h1 id="changes">Changes</h1>` +
      `<table class="counts"><thead><tr><th scope="col">Pages</th><th scope="col">Number</th></tr></thead><tbody>${counts.join('')}</tbody></table>` +
      `${nothing}${parts.join('')}</section>`,
    headings,
  };
}

function rowOf(item: ChangedItem | MovedItem, href: string | undefined): string {
  const title = htmlText(titleText(item.title));
  const linked = href === undefined ? title : `<a href="${htmlText(href)}">${title}</a>`;
  return `<li dir="auto">${linked}<span class="where">${htmlText(whereOf(item))}</span></li>`;
}

function whereOf(item: ChangedItem | MovedItem): string {
  const top = 'the first level';
  if ('from' in item) return ` from ${item.from || top} to ${item.where || top}`;
  return item.where === '' ? '' : ` in ${item.where}`;
}
