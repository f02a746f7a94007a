import { trimmedSides } from '@bindery/contract';
import { contentLimits, slugOfTitle } from '@bindery/dialect/repository-format';
import type { PageItem, PageTree } from '../store/items.ts';
import { freeSlug } from '../tree/pagePaths.ts';
import type { TreeEdit } from '../tree/treeEdit.ts';
import { refused } from './refuse.ts';

/** A page to be placed: its type, its id if it exists, and the number of levels below it. */
type Moving = { type: PageItem['type']; id?: string; levels: number };

/**
 * Checks that a page may be below another one, or at the root (null).
 *
 * @throws invalid_request when the parent is missing, cannot have pages below it, or is the page itself or
 *   below it
 */
export function requirePosition(
  edit: TreeEdit,
  into: string | null,
  { page, change }: { page: Moving; change: number },
): void {
  if (into === null) return;
  const above = edit.page(into);
  if (!above) throw refused(change, 'into', 'must be the id of a page of this content.');
  if (above.page.type !== 'document' && above.page.type !== 'group')
    throw refused(
      change,
      'into',
      `must be a document or a group: a ${above.page.type} cannot have pages below it.`,
    );
  if (page.type === 'group') throw refused(change, 'into', 'must be null: groups must be at the top.');
  if (page.id !== undefined && [...above.ancestors, above.page].some(({ id }) => id === page.id))
    throw refused(change, 'into', 'must not be the page itself or a page below it.');
  if (above.ancestors.length + 2 + page.levels > contentLimits.pageDepth)
    throw refused(change, 'into', `must leave pages at most ${contentLimits.pageDepth} levels deep.`);
}

/** Counts the levels of pages below a page. */
export function levelsBelow(tree: PageTree | undefined): number {
  if (!tree || !('pages' in tree) || tree.pages.length === 0) return 0;
  return 1 + Math.max(...tree.pages.map(levelsBelow));
}

/**
 * Converts a given slug: letters and digits of any script, `.` and `_`, in lower case; `page` when nothing is
 * left.
 */
export function slugAsGiven(given: string): string {
  const words = given
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-');
  const slug = trimmedSides(words, '-.');
  return slug || 'page';
}

type SlugPosition = { into: string | null; except?: string | undefined };

/** The slug of a title, with a number if another page with the same parent has it. */
export function slugForTitle(edit: TreeEdit, title: string, position: SlugPosition): string {
  return freeSlug(edit, slugOfTitle(title, 'page'), position);
}

/** Tells whether another page with the same parent has this slug. */
export function isSlugTaken(edit: TreeEdit, slug: string, { into, except }: SlugPosition): boolean {
  return edit.list(into).some((page) => 'slug' in page && page.slug === slug && page.id !== except);
}
