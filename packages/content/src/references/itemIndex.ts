import { join, nameOf } from '@bindery/dialect/repository-format';
import type { GitLocation } from '../store/items.ts';

type Item = { id: string; git?: GitLocation };

/** Files or reusable contents of a revision, indexed for look-ups. */
export type ItemIndex<T extends Item> = {
  byId: ReadonlyMap<string, T>;
  byPath: ReadonlyMap<string, T>;
  /** The folders that contain a `.gitbook`, as far as the paths show. */
  specialRoots: readonly string[];
};

const indexes = new WeakMap<readonly Item[], Map<string, ItemIndex<Item>>>();

/**
 * Indexes a list, once for repeated calls: a changed list must be a new one.
 *
 * @param nameIn  returns the path, below the content root, of an item that came from no repository
 */
export function indexItems<T extends Item>(
  items: readonly T[],
  { root, nameIn }: { root: string; nameIn: (item: T) => string },
): ItemIndex<T> {
  const known = indexes.get(items)?.get(root);
  if (known) return known as ItemIndex<T>;
  const byId = new Map(items.map((item) => [item.id, item]));
  const byPath = new Map<string, T>();
  for (const item of items) if (item.git) byPath.set(item.git.path, item);
  // An item with a file keeps its path. Of several items with one name, the first gets it.
  for (const item of items) {
    const path = join(root, nameIn(item));
    if (!item.git && !byPath.has(path)) byPath.set(path, item);
  }
  const index = { byId, byPath, specialRoots: specialRoots(byPath.keys()) };
  const ofRoots = indexes.get(items) ?? new Map<string, ItemIndex<Item>>();
  indexes.set(items, ofRoots.set(root, index));
  return index;
}

function specialRoots(paths: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const start = path.startsWith(special) ? 0 : path.indexOf(`/${special}`);
    if (start >= 0) found.add(path.slice(0, start));
  }
  return [...found];
}

export const special = '.gitbook/';

export function assetPath({ name }: { name: string }): string {
  return `${special}assets/${nameOf(name)}`;
}
