import type { PageTree } from '@bindery/content';
import { idOfPage } from '@bindery/render';

/** An entry of the contents of a book: of the tree of pages, without those that the book leaves out. */
export type BookEntry = {
  /** The id of its heading in the book. */
  id: string;
  title: string;
  page: PageTree;
  children: BookEntry[];
};

/** The part of a space that a book prints. */
export type Selection = {
  /** Only this page and those below it; all pages without it. */
  page?: string | undefined;
  /** With `page`: that page alone. */
  only: boolean;
  /** Also the pages that are not in the navigation. */
  withHidden?: boolean;
};

/**
 * Selects the pages of a book, in the order of the navigation. Hidden pages, and those below them, are not in
 * the navigation; a selected page is printed also if it is hidden.
 */
export function selectEntries(
  tree: readonly PageTree[],
  { page, only, withHidden = false }: Selection,
): BookEntry[] {
  if (page === undefined) return entriesOf(tree, withHidden);
  const selected = findPage(tree, page);
  if (!selected) return [];
  return [{ ...entryOf(selected, withHidden), ...(only && { children: [] }) }];
}

/**
 * Keeps the entries of some pages; the others are replaced by the kept ones below them.
 *
 * @param isKept  tells whether the page with this id stays
 */
export function pruneEntries(entries: readonly BookEntry[], isKept: (page: string) => boolean): BookEntry[] {
  return entries.flatMap((entry) => {
    const children = pruneEntries(entry.children, isKept);
    return isKept(entry.page.id) ? [{ ...entry, children }] : children;
  });
}

/** Lists entries and those below them, each before its children. */
export function* allEntries(entries: readonly BookEntry[]): Iterable<BookEntry> {
  for (const entry of entries) {
    yield entry;
    yield* allEntries(entry.children);
  }
}

function entriesOf(pages: readonly PageTree[], withHidden: boolean): BookEntry[] {
  return pages.filter((page) => withHidden || isShown(page)).map((page) => entryOf(page, withHidden));
}

function entryOf(page: PageTree, withHidden: boolean): BookEntry {
  const children = 'pages' in page ? entriesOf(page.pages, withHidden) : [];
  return { id: idOfPage(page.id), title: page.title, page, children };
}

function isShown(page: PageTree): boolean {
  return !('hidden' in page && page.hidden);
}

function findPage(tree: readonly PageTree[], id: string): PageTree | undefined {
  for (const page of tree) {
    if (page.id === id) return page;
    const found = 'pages' in page ? findPage(page.pages, id) : undefined;
    if (found) return found;
  }
  return undefined;
}
