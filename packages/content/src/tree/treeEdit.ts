import type { PageItem, PageTree } from '../store/items.ts';
import { createNodeBatch } from '../store/nodes.ts';
import { childrenOf, locate, pageAtPath, treeOf, type Key, type LocatedPage, type PageLookup, type TreeNodes } from './pageLookup.ts';

/** Where a page goes: below a page or into the root (null), in front of the sibling that is now at `at`, or last. */
export type PagePlace = { into: string | null; at?: number | undefined };

/**
 * A tree that is being changed. Look-ups see the changes. Nobody else does until `write`, and then under the new root only.
 *
 * Ids that are not there are errors of the caller; what may stand below what, which slugs and which paths there are, is decided elsewhere.
 */
export type TreeEdit = PageLookup & {
  insert(page: PageTree, place: PagePlace): void;
  /** Replaces a page's own fields; its children stay. */
  update(id: string, change: (page: PageItem) => PageItem): void;
  /** Moves a page with all below it; `at` counts without the page itself. */
  move(id: string, place: PagePlace): void;
  /** Takes a page away, with all below it. */
  remove(id: string): void;
  /** Stores the nodes that are new: those on the paths to what was changed. */
  write(): Promise<{ root: string; nodesWritten: number }>;
};

/** A page whose children are still as stored (`children` absent), or opened because something below it was changed. */
type Entry = { item: PageItem; children?: Entry[] };

export function editTree(organization: string, root: string, nodes: TreeNodes): TreeEdit {
  const top: Entry[] = opened(nodes.items(root));

  function find(entries: readonly Entry[], by: Key, key: string, ancestors: readonly PageItem[]): LocatedPage | undefined {
    const index = entries.findIndex(({ item }) => keyOf(item, by) === key);
    if (index !== -1) return locate((entries[index] as Entry).item, ancestors, index);
    for (const { item, children } of entries) {
      const stored = childrenOf(item);
      const further = [...ancestors, item];
      const found = children ? find(children, by, key, further) : stored !== undefined ? nodes.find(stored, by, key, further) : undefined;
      if (found) return found;
    }
    return undefined;
  }
  function* walk(entries: readonly Entry[], ancestors: readonly PageItem[]): Iterable<LocatedPage> {
    for (const [index, { item, children }] of entries.entries()) {
      yield locate(item, ancestors, index);
      const stored = childrenOf(item);
      if (children) yield* walk(children, [...ancestors, item]);
      else if (stored !== undefined) yield* nodes.walk(stored, [...ancestors, item]);
    }
  }

  const page = (id: string) => find(top, 'ids', id, []);
  const all = () => walk(top, []);
  const open = (entry: Entry): Entry[] => (entry.children ??= openedBelow(entry.item, nodes));

  /** The list that a page stands in, with everything on the way opened. */
  function siblingsOf(located: LocatedPage): Entry[] {
    let entries = top;
    for (const { id } of located.ancestors) entries = open(entries.find(({ item }) => item.id === id) as Entry);
    return entries;
  }
  function required(id: string): LocatedPage {
    const located = page(id);
    if (!located) throw new Error(`The page ${id} is not in the tree.`);
    return located;
  }
  function listOf(parent: string | null): Entry[] {
    if (parent === null) return top;
    const located = required(parent);
    return open(siblingsOf(located)[located.index] as Entry);
  }
  function take(id: string): Entry {
    const located = required(id);
    return siblingsOf(located).splice(located.index, 1)[0] as Entry;
  }
  function put(entry: Entry, { into, at }: PagePlace): void {
    const entries = listOf(into);
    entries.splice(at ?? entries.length, 0, entry);
  }

  return {
    page,
    pageAtPath: (path) => pageAtPath(path, (key) => find(top, 'paths', key, []), all),
    pageOfFile: (path) => find(top, 'files', path, []),
    list: (parent) => {
      if (parent === null) return top.map(({ item }) => item);
      const located = page(parent);
      return located ? listOf(parent).map(({ item }) => item) : [];
    },
    all,
    subtree: (id) => {
      const located = page(id);
      return located && subtreeOf(siblingsOf(located)[located.index] as Entry, nodes);
    },
    insert: (tree, place) => put(entryOf(tree), place),
    update: (id, change) => {
      const located = required(id);
      const entry = siblingsOf(located)[located.index] as Entry;
      const changed = withoutUndefined(change(entry.item));
      const children = childrenOf(entry.item);
      // What is below is told by the entry alone.
      entry.item = 'children' in changed || children !== undefined ? withChildren(changed, children) : changed;
    },
    move: (id, place) => put(take(id), place),
    remove: (id) => void take(id),
    write: async () => {
      const batch = createNodeBatch(organization);
      const add = (entries: readonly Entry[]): string =>
        batch.add(
          entries.map(({ item, children }) => (children ? withChildren(item, children.length > 0 ? add(children) : undefined) : item)),
        );
      const written = add(top);
      return { root: written, nodesWritten: await batch.write() };
    },
  };
}

function keyOf(item: PageItem, by: Key): string | undefined {
  if (by === 'ids') return item.id;
  if (by === 'paths') return 'path' in item ? item.path : undefined;
  return item.type === 'document' ? item.git?.path : undefined;
}

function opened(items: readonly PageItem[]): Entry[] {
  return items.map((item) => ({ item }));
}

function openedBelow(item: PageItem, nodes: TreeNodes): Entry[] {
  const stored = childrenOf(item);
  return stored === undefined ? [] : opened(nodes.items(stored));
}

function entryOf(tree: PageTree): Entry {
  if (!('pages' in tree)) return { item: withoutUndefined(tree) };
  const { pages, ...item } = tree;
  return { item: withoutUndefined(item), children: pages.map(entryOf) };
}

function subtreeOf({ item, children }: Entry, nodes: TreeNodes): PageTree {
  return treeOf(item, () => (children ?? openedBelow(item, nodes)).map((entry) => subtreeOf(entry, nodes)));
}

function withChildren(item: PageItem, children: string | undefined): PageItem {
  if (item.type === 'link' || item.type === 'computed') return item;
  const { children: _, ...own } = item;
  return children === undefined ? own : { ...own, children };
}

/** A field without a value is one that is not there: in the hash, and so in the store. */
function withoutUndefined<Item extends PageItem>(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as Item;
}
