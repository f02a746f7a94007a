import type { PageTree } from '../store/items.ts';
import type { Draft } from './draft.ts';
import { requirePage } from './updatePage.ts';

/**
 * Removes a page with all pages below it.
 *
 * @throws invalid_request
 */
export function deletePage(draft: Draft, id: string, change: number): void {
  requirePage(draft, id, change);
  const { edit, touched } = draft;
  for (const below of idsOf(edit.subtree(id))) touched.add(below);
  edit.remove(id);
}

/** Lists the ids of a page and of all pages below it. */
export function idsOf(tree: PageTree | undefined): string[] {
  if (!tree) return [];
  return [tree.id, ...('pages' in tree ? tree.pages.flatMap(idsOf) : [])];
}
