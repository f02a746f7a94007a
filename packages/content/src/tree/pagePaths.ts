import type { PageItem } from '../store/items.ts';
import type { TreeEdit } from './treeEdit.ts';

const maxSlugLength = 100;

/** Returns a slug that no sibling has: the wanted one, or with the next free number. */
export function freeSlug(
  edit: TreeEdit,
  wanted: string,
  { into, except }: { into: string | null; except?: string | undefined },
): string {
  const taken = new Set(
    edit.list(into).flatMap((page) => ('slug' in page && page.id !== except ? [page.slug] : [])),
  );
  const slug = wanted.slice(0, maxSlugLength);
  if (!taken.has(slug)) return slug;
  for (let number = 1; ; number += 1) {
    const suffix = `-${number}`;
    const numbered = slug.slice(0, maxSlugLength - suffix.length) + suffix;
    if (!taken.has(numbered)) return numbered;
  }
}

/**
 * Updates the paths of a page and all pages below it from their slugs, after the page was inserted, moved or
 * renamed.
 */
export function repath(edit: TreeEdit, id: string): void {
  const located = edit.page(id);
  if (!located) return;
  const { parent } = located;
  const visit = (page: PageItem, above: string) => {
    if (!('path' in page)) return;
    const path = above === '' ? page.slug : `${above}/${page.slug}`;
    // The paths below follow already.
    if (path === page.path) return;
    edit.update(page.id, (item) => ('path' in item ? { ...item, path } : item));
    for (const child of edit.list(page.id)) visit(child, path);
  };
  visit(located.page, parent && 'path' in parent ? parent.path : '');
}
