import { join } from '@bindery/dialect/repository-format';
import type { PageItem, PageTree } from '../store/items.ts';
import type { ContentTree } from '../tree/contentTree.ts';
import type { LocatedPage } from '../tree/pageLookup.ts';
import { freeSlug } from '../tree/pagePaths.ts';
import type { TreePosition, TreeEdit } from '../tree/treeEdit.ts';
import { idsOf } from './deletePage.ts';
import type { Draft } from './draft.ts';

/** Restores a deleted page to its old position, with the pages below it that are not elsewhere now. */
export function restorePage(draft: Draft, was: LocatedPage, old: ContentTree): void {
  const { edit, touched } = draft;
  const { id } = was.page;
  const tree = withoutPresent(edit, old.subtree(id) as PageTree);
  const position = oldPosition(draft, was, old);
  edit.insert(tree, position);
  for (const restored of idsOf(tree)) touched.add(restored);
  resetPaths(draft, id);
}

function withoutPresent(edit: TreeEdit, tree: PageTree): PageTree {
  if (!('pages' in tree)) return tree;
  const missing = tree.pages.filter(({ id }) => !edit.page(id));
  return { ...tree, pages: missing.map((page) => withoutPresent(edit, page)) };
}

/**
 * Moves a page back to its old parent and between its old siblings; a page still in that position is not
 * moved.
 */
export function moveBack(draft: Draft, was: LocatedPage, old: ContentTree): void {
  const { edit } = draft;
  const { id } = was.page;
  const is = edit.page(id) as LocatedPage;
  const position = oldPosition(draft, was, old);
  if (position.into === (is.parent?.id ?? null) && isInOrder(draft, was, old)) return;
  edit.move(id, position);
}

/**
 * The old position: below the nearest old ancestor that still exists, after the nearest preceding sibling.
 */
function oldPosition({ edit }: Draft, was: LocatedPage, old: ContentTree): TreePosition {
  const { id } = was.page;
  const above = was.ancestors.findLast((ancestor) => {
    const found = edit.page(ancestor.id);
    return found !== undefined && !found.ancestors.some((page) => page.id === id);
  });
  const into = above?.id ?? null;
  const wasDirectly = into === (was.parent?.id ?? null);
  // When the parent is gone, the end of the nearest ancestor's children is as good a position as any.
  if (!wasDirectly) return { into };
  const siblings = edit.list(into).filter((page) => page.id !== id);
  const before = old.list(into).slice(0, was.index);
  const nearest = before.findLast((page) => siblings.some((sibling) => sibling.id === page.id));
  return { into, at: nearest ? siblings.findIndex((page) => page.id === nearest.id) + 1 : 0 };
}

/**
 * Tells whether the page still comes after its former preceding siblings and before its former following
 * ones.
 */
function isInOrder({ edit }: Draft, was: LocatedPage, old: ContentTree): boolean {
  const into = was.parent?.id ?? null;
  const order = new Map(old.list(into).map((page, index) => [page.id, index]));
  const now = edit.list(into).flatMap((page) => order.get(page.id) ?? []);
  const at = now.indexOf(was.index);
  return now.every(
    (index, position) => position === at || (position < at ? index < was.index : index > was.index),
  );
}

/** Gives a restored page and the pages below it unique slugs among their siblings, and the matching paths. */
export function resetPaths({ edit }: Draft, id: string): void {
  const visit = (page: PageItem | undefined, parent: PageItem | undefined) => {
    if (!page || !('slug' in page)) return;
    // The landing page once had no slug.
    const wanted = page.path === '' || page.slug === '' ? 'readme' : page.slug;
    const slug = freeSlug(edit, wanted, { into: parent?.id ?? null, except: page.id });
    const path = join(parent && 'path' in parent ? parent.path : '', slug);
    edit.update(page.id, (item) => ('slug' in item ? { ...item, slug, path } : item));
    const updated = edit.page(page.id)?.page;
    for (const child of edit.list(page.id)) visit(child, updated);
  };
  const found = edit.page(id);
  visit(found?.page, found?.parent);
}
