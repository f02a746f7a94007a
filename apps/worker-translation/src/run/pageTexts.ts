import type { PageItem, ReusableContentItem } from '@bindery/content';
import type { PageTexts } from '@bindery/models';
import { compact } from '@bindery/runtime';

/** The texts of a page's entry that are translated, by name. */
export const entryNames = ['title', 'linkTitle', 'description'] as const;
type EntryName = (typeof entryNames)[number];

/** The texts of a page; of a reusable content likewise. */
export function textsOf(item: PageItem | ReusableContentItem): PageTexts {
  const { title, linkTitle, description, document } = item as PageTexts;
  return compact({ title, linkTitle, description, document });
}

export function entryOf(texts: PageTexts): Partial<Record<EntryName, string>> {
  const { document: _document, ...entry } = texts;
  return entry;
}

export function isSameTexts(one: PageTexts, other: PageTexts): boolean {
  return one.document === other.document && entryNames.every((name) => one[name] === other[name]);
}

/** A page with other texts. Its place in a repository stays too: relative links start there. */
export function withTexts<Item extends PageItem | ReusableContentItem>(item: Item, texts: PageTexts): Item {
  return { ...item, ...texts };
}
