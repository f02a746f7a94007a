import type { PageItem, PageTree } from '../store/items.ts';
import { createNodeBatch } from '../store/nodes.ts';
import {
  childrenOf,
  locate,
  otherPathsOf,
  pageAtPath,
  treeOf,
  type Key,
  type LocatedPage,
  type PageLookup,
  type TreeNodes,
} from './pageLookup.ts';

/**
 * The target position of a page: below a page or at the root (null), before the sibling currently at `at`, or
 * last.
 */
export type TreePosition = { into: string | null; at?: number | undefined };

/**
 * A tree under change. Look-ups see the changes; other readers see them only after `write`, under the new
 * root.
 *
 * Unknown ids are errors of the caller, who also decides on permitted parents, slugs and paths.
 */
export type TreeEdit = PageLookup & {
  insert(page: PageTree, position: TreePosition): void;
  /** Replaces a page's own fields; its children stay. */
  update(id: string, change: (page: PageItem) => PageItem): void;
  /** Moves a page with all pages below it; `at` does not count the page itself. */
  move(id: string, position: TreePosition): void;
  /** Removes a page with all pages below it. */
  remove(id: string): void;
  /** Stores the new nodes: those on the paths to changed pages. */
  write(): Promise<{ root: string; nodesWritten: number }>;
};

/** A page with its children as stored (`children` absent), or opened because a page below it was changed. */
type Entry = { item: PageItem; parent: Entry | undefined; children?: Entry[] };

export function editTree(organization: string, root: string, nodes: TreeNodes): TreeEdit {
  /** Every page of an opened list, by id. */
  const entries = new Map<string, Entry>();
  /** The entries of opened lists whose children are as stored. */
  const closed = new Set<Entry>();
  const top = opened(nodes.items(root), undefined);

  function opened(items: readonly PageItem[], parent: Entry | undefined): Entry[] {
    return items.map((item) => added({ item, parent }));
  }
  function added(entry: Entry): Entry {
    entries.set(entry.item.id, entry);
    if (!entry.children && childrenOf(entry.item) !== undefined) closed.add(entry);
    return entry;
  }
  function open(entry: Entry): Entry[] {
    closed.delete(entry);
    return (entry.children ??= opened(itemsBelow(entry.item), entry));
  }
  function itemsBelow(item: PageItem): readonly PageItem[] {
    const stored = childrenOf(item);
    return stored === undefined ? [] : nodes.items(stored);
  }
  const listOf = ({ parent }: Entry): Entry[] => (parent ? open(parent) : top);

  function located(entry: Entry): LocatedPage {
    return locate(entry.item, itemsAbove(entry), listOf(entry).indexOf(entry));
  }
  function locatedBelow(entry: Entry, found: LocatedPage): LocatedPage {
    return locate(found.page, [...itemsAbove(entry), entry.item, ...found.ancestors], found.index);
  }
  function page(id: string): LocatedPage | undefined {
    const entry = entries.get(id);
    if (entry) return located(entry);
    for (const holder of closed) {
      const found = nodes.find(childrenOf(holder.item) as string, 'ids', id, []);
      if (found) return locatedBelow(holder, found);
    }
    return undefined;
  }
  /** Opens all nodes on the way to a page, so that it can be changed. */
  function required(id: string): Entry {
    const found = page(id);
    if (!found) throw new Error(`The page ${id} is not in the tree.`);
    for (const ancestor of found.ancestors) open(entries.get(ancestor.id) as Entry);
    return entries.get(id) as Entry;
  }
  /** Finds the first page in the order of the navigation. */
  function find(list: readonly Entry[], by: Exclude<Key, 'ids'>, key: string): LocatedPage | undefined {
    const own = list.find(({ item }) => isFoundBy(item, by, key));
    if (own) return located(own);
    for (const entry of list) {
      if (entry.children) {
        const found = find(entry.children, by, key);
        if (found) return found;
      } else if (closed.has(entry)) {
        const found = nodes.find(childrenOf(entry.item) as string, by, key, []);
        if (found) return locatedBelow(entry, found);
      }
    }
    return undefined;
  }
  function* walk(list: readonly Entry[], ancestors: readonly PageItem[]): Iterable<LocatedPage> {
    for (const [index, { item, children }] of list.entries()) {
      yield locate(item, ancestors, index);
      const stored = childrenOf(item);
      if (children) yield* walk(children, [...ancestors, item]);
      else if (stored !== undefined) yield* nodes.walk(stored, [...ancestors, item]);
    }
  }
  const all = () => walk(top, []);

  function forget(entry: Entry): void {
    entries.delete(entry.item.id);
    closed.delete(entry);
    for (const child of entry.children ?? []) forget(child);
  }
  function take(entry: Entry): void {
    const list = listOf(entry);
    list.splice(list.indexOf(entry), 1);
  }
  function put(entry: Entry, { into, at }: TreePosition): void {
    const parent = into === null ? undefined : required(into);
    const list = parent ? open(parent) : top;
    entry.parent = parent;
    list.splice(at ?? list.length, 0, entry);
  }
  function entryOf(tree: PageTree, parent: Entry | undefined): Entry {
    if (!('pages' in tree)) return added({ item: withoutUndefined(tree), parent });
    const { pages, ...item } = tree;
    const entry: Entry = { item: withoutUndefined(item), parent, children: [] };
    entry.children = pages.map((below) => entryOf(below, entry));
    return added(entry);
  }
  function subtreeOf(item: PageItem): PageTree {
    return treeOf(item, () =>
      (entries.get(item.id)?.children?.map((entry) => entry.item) ?? itemsBelow(item)).map(subtreeOf),
    );
  }

  return {
    page,
    pageAtPath: (path) => pageAtPath(path, (key) => find(top, 'paths', key), all),
    pageAtFilePath: (path) => find(top, 'filePaths', path),
    pageOfFile: (path) => find(top, 'files', path),
    list: (parent) => {
      if (parent === null) return top.map(({ item }) => item);
      const found = page(parent)?.page;
      if (!found) return [];
      return entries.get(parent)?.children?.map(({ item }) => item) ?? itemsBelow(found);
    },
    all,
    subtree: (id) => {
      const found = page(id)?.page;
      return found && subtreeOf(found);
    },
    insert: (tree, position) => put(entryOf(tree, undefined), position),
    update: (id, change) => {
      const entry = required(id);
      const changed = withoutUndefined(change(entry.item));
      // Only the entry determines the page's children.
      entry.item = withChildren(changed, childrenOf(entry.item));
    },
    move: (id, position) => {
      const entry = required(id);
      take(entry);
      put(entry, position);
    },
    remove: (id) => {
      const entry = required(id);
      take(entry);
      forget(entry);
    },
    write: async () => {
      const batch = createNodeBatch(organization);
      const add = (list: readonly Entry[]): string =>
        batch.add(
          list.map(({ item, children }) =>
            children ? withChildren(item, children.length > 0 ? add(children) : undefined) : item,
          ),
        );
      const written = add(top);
      return { root: written, nodesWritten: await batch.write() };
    },
  };
}

function itemsAbove({ parent }: Entry): PageItem[] {
  return parent ? [...itemsAbove(parent), parent.item] : [];
}

function isFoundBy(item: PageItem, by: Exclude<Key, 'ids'>, key: string): boolean {
  if (by === 'filePaths') return otherPathsOf(item).includes(key);
  if (by === 'paths') return 'path' in item && item.path === key;
  return item.type === 'document' && item.git?.path === key;
}

function withChildren(item: PageItem, children: string | undefined): PageItem {
  if (item.type === 'link' || item.type === 'computed') return item;
  const { children: _, ...own } = item;
  return children === undefined ? own : { ...own, children };
}

/** Removes undefined fields, which would change the hash. */
function withoutUndefined<Item extends PageItem>(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as Item;
}
