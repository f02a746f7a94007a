import type { GitChangedPage, GitMovedPage, GitPageEntry } from '@bindery/contract';
import { diffTrees, type PageChange } from '../merge/diffTrees.ts';
import type { PageItem, PageTree } from '../store/items.ts';
import { looseTree } from './looseTree.ts';

/** The sources of a changed item, by hash; absent on a side without one. */
export type ChangedSource = { before?: string; after?: string };

export type PageChanges = {
  added: GitPageEntry[];
  removed: GitPageEntry[];
  changed: { entry: GitChangedPage; source?: ChangedSource }[];
  moved: GitMovedPage[];
};

type Change = Extract<PageChange, { kind: 'changed' }>;
type Placed = Change['before'];

/**
 * Fields that locate a page, or that this process assigned: a difference in them is no change of the page
 * itself.
 */
const notOwn = new Set(['id', 'createdAt', 'updatedAt', 'git', 'slug', 'path', 'filePath', 'oldPaths']);

/**
 * Compares two trees of pages by page id: removed pages in the order of the first tree, all others in the
 * order of the second.
 *
 * A page has moved when its parent, its order among siblings, its path or its file differs.
 */
export function comparePages(before: readonly PageTree[], after: readonly PageTree[]): PageChanges {
  const trees = { before: looseTree('before', before), after: looseTree('after', after) };
  const diff = diffTrees(trees.before, trees.after);
  const found: PageChanges = { added: [], removed: [], changed: [], moved: [] };
  for (const { page } of trees.after.all()) {
    const change = diff.get(page.id);
    if (change?.kind === 'created') found.added.push(withoutId(page));
    if (change?.kind !== 'changed') continue;
    const fields = [...change.fields].filter((name) => !notOwn.has(name)).toSorted();
    if (fields.length > 0) found.changed.push(changedPage(change, fields));
    if (hasMoved(change))
      found.moved.push({
        ...entryOf(page),
        ...placeOf(change.after, diff),
        previous: previousPlace(change.before, diff),
      });
  }
  for (const { page } of trees.before.all())
    if (diff.get(page.id)?.kind === 'deleted') found.removed.push(entryOf(page));
  return found;
}

function hasMoved({ moved, fields, before, after }: Change): boolean {
  if (moved || fields.has('path')) return true;
  const [old, now] = [fileOf(before.page), fileOf(after.page)];
  return old !== undefined && now !== undefined && old !== now;
}

function changedPage({ before, after }: Change, fields: string[]): PageChanges['changed'][number] {
  const entry = { ...entryOf(after.page), fields };
  if (!fields.includes('document')) return { entry };
  const [old, now] = [documentOf(before.page), documentOf(after.page)];
  return {
    entry,
    source: { before: old, after: now },
  };
}

function entryOf(page: PageItem): GitPageEntry {
  return {
    id: page.id,
    type: page.type,
    title: page.title,
    path: 'path' in page ? page.path : undefined,
    file: fileOf(page),
  };
}

function withoutId(page: PageItem): GitPageEntry {
  const { id: _, ...entry } = entryOf(page);
  return entry;
}

function previousPlace(placed: Placed, diff: ReadonlyMap<string, PageChange>): GitMovedPage['previous'] {
  const { path, file } = entryOf(placed.page);
  return { path, file, ...placeOf(placed, diff) };
}

function placeOf(
  { parent, index }: Placed,
  diff: ReadonlyMap<string, PageChange>,
): Pick<GitMovedPage, 'parent' | 'index'> {
  if (!parent) return { parent: null, index };
  const isNew = diff.get(parent.id)?.kind === 'created';
  return { parent: { id: isNew ? undefined : parent.id, title: parent.title }, index };
}

function fileOf(page: PageItem): string | undefined {
  return page.type === 'document' ? page.git?.path : undefined;
}

function documentOf(page: PageItem): string | undefined {
  return page.type === 'document' ? page.document : undefined;
}
