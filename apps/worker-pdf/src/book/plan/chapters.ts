import type { BookEntry } from './bookEntries.ts';

/** A page, which begins on a new sheet, below the titles of the groups whose first page it is. */
export type Chapter = {
  groups: BookEntry[];
  /** Absent for groups without a page. */
  page?: BookEntry;
};

/**
 * Lists the chapters of a book. A group has no sheets of its own: its title stands above its first page.
 * Links have no content; they are only in the contents.
 */
export function chaptersOf(entries: readonly BookEntry[]): Chapter[] {
  const chapters: Chapter[] = [];
  let groups: BookEntry[] = [];
  const visit = (inside: readonly BookEntry[]) => {
    for (const entry of inside) {
      if (entry.page.type === 'link') continue;
      if (entry.page.type === 'group') groups.push(entry);
      else {
        chapters.push({ groups, page: entry });
        groups = [];
      }
      visit(entry.children);
    }
  };
  visit(entries);
  if (groups.length > 0) chapters.push({ groups });
  return chapters;
}
