import type { PageItem } from '../store/items.ts';
import type { TreeEdit } from './treeEdit.ts';

const maxSlugLength = 100;

/** A slug that no other page in the same place has: the wanted one, or with the next free number behind it. */
export function freeSlug(edit: TreeEdit, wanted: string, { into, except }: { into: string | null; except?: string | undefined }): string {
  const taken = new Set(edit.list(into).flatMap((page) => ('slug' in page && page.id !== except ? [page.slug] : [])));
  const slug = wanted.slice(0, maxSlugLength);
  if (!taken.has(slug)) return slug;
  for (let number = 1; ; number += 1) {
    const suffix = `-${number}`;
    const numbered = slug.slice(0, maxSlugLength - suffix.length) + suffix;
    if (!taken.has(numbered)) return numbered;
  }
}

/**
 * Gives a page, and all below it, the paths that follow from the slugs on the way: for a page that was made, moved or got another slug here.
 */
export function repath(edit: TreeEdit, id: string): void {
  const located = edit.page(id);
  if (!located) return;
  const { parent } = located;
  const visit = (page: PageItem, above: string) => {
    if (!('path' in page)) return;
    const path = above === '' ? page.slug : `${above}/${page.slug}`;
    // What is below follows already.
    if (path === page.path) return;
    edit.update(page.id, (item) => ('path' in item ? { ...item, path } : item));
    for (const child of edit.list(page.id)) visit(child, path);
  };
  visit(located.page, parent && 'path' in parent ? parent.path : '');
}
