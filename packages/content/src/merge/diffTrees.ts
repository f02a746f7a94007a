import { canonical } from '../store/hash.ts';
import type { PageItem } from '../store/items.ts';
import type { ContentTree } from '../tree/contentTree.ts';
import { childrenOf } from '../tree/pageLookup.ts';
import { longestIncreasing } from './longestIncreasing.ts';

/** A page and its position: its parent (null at the top), and its index among its siblings. */
export type PlacedPage = { page: PageItem; parent: PageItem | null; index: number };

export type PageChange =
  | { kind: 'created'; id: string; after: PlacedPage }
  | { kind: 'deleted'; id: string; before: PlacedPage }
  | {
      kind: 'changed';
      id: string;
      before: PlacedPage;
      after: PlacedPage;
      /** Names of the page's own fields that differ: `document`, `title`, `path`, ... Not its children. */
      fields: ReadonlySet<string>;
      /** `parent`: its parent differs. `order`: its order among its siblings differs. */
      moved?: 'parent' | 'order';
    };

/** The part of a tree that a comparison needs; a tree that is not stored has it as well. */
export type ComparedTree = Pick<ContentTree, 'root' | 'node' | 'page' | 'all'>;

/** The differences between two trees, by page id. */
export type TreeDiff = ReadonlyMap<string, PageChange>;

/**
 * Lists the changes that turn the pages of `a` into those of `b`. Without `a`, all of them are new.
 *
 * Equal parts of the trees have equal hashes and are skipped, so the cost grows with the change. Among
 * reordered siblings, as few as possible count as moved.
 */
export function diffTrees(a: ComparedTree | undefined, b: ComparedTree): TreeDiff {
  const changes = new Map<string, PageChange>();
  const findInA = a ? finder(a) : () => undefined;
  const findInB = finder(b);

  const itemsOf = (tree: ComparedTree | undefined, hash: string | undefined) =>
    tree && hash !== undefined ? tree.node(hash) : [];

  function compareLists(
    before: { items: readonly PageItem[]; parent: PageItem | null },
    after: { items: readonly PageItem[]; parent: PageItem | null },
  ): void {
    const indexInA = new Map(before.items.map(({ id }, index) => [id, index]));
    const indexInB = new Map(after.items.map(({ id }, index) => [id, index]));
    const stayed = before.items.filter(({ id }) => indexInB.has(id)).map(({ id }) => id);
    const inOrder = longestIncreasing(stayed.map((id) => indexInB.get(id) as number));
    const reordered = new Set(stayed.filter((_, position) => !inOrder.has(position)));
    for (const [index, page] of after.items.entries()) {
      const place: PlacedPage = { page, parent: after.parent, index };
      const indexBefore = indexInA.get(page.id);
      if (indexBefore === undefined) come(place);
      else {
        const previous = {
          page: before.items[indexBefore] as PageItem,
          parent: before.parent,
          index: indexBefore,
        };
        comparePages(previous, place, reordered.has(page.id) ? 'order' : undefined);
      }
    }
    for (const [index, page] of before.items.entries()) {
      if (!indexInB.has(page.id)) gone({ page, parent: before.parent, index });
    }
  }

  function comparePages(before: PlacedPage, after: PlacedPage, moved: 'parent' | 'order' | undefined): void {
    const fields = changedFields(before.page, after.page);
    const { id } = after.page;
    if (fields.size > 0 || moved) changes.set(id, { kind: 'changed', id, before, after, fields, moved });
    const [hashBefore, hashAfter] = [childrenOf(before.page), childrenOf(after.page)];
    if (hashBefore === hashAfter) return;
    compareLists(
      { items: itemsOf(a, hashBefore), parent: before.page },
      { items: itemsOf(b, hashAfter), parent: after.page },
    );
  }

  function come(after: PlacedPage): void {
    const { id } = after.page;
    const before = findInA(id);
    if (before) return comparePages(before, after, 'parent');
    changes.set(id, { kind: 'created', id, after });
    for (const [index, page] of itemsOf(b, childrenOf(after.page)).entries())
      come({ page, parent: after.page, index });
  }

  function gone(before: PlacedPage): void {
    const { id } = before.page;
    // It is compared at its current position.
    if (findInB(id)) return;
    changes.set(id, { kind: 'deleted', id, before });
    for (const [index, page] of itemsOf(a, childrenOf(before.page)).entries())
      gone({ page, parent: before.page, index });
  }

  if (a?.root !== b.root)
    compareLists({ items: itemsOf(a, a?.root), parent: null }, { items: b.node(b.root), parent: null });
  return changes;
}

/** After this many look-ups, all pages of the tree are listed once. */
const maxSearches = 50;

function finder(tree: ComparedTree): (id: string) => PlacedPage | undefined {
  let searches = 0;
  let all: Map<string, PlacedPage> | undefined;
  return (id) => {
    searches += 1;
    if (searches <= maxSearches) {
      const found = tree.page(id);
      return found && { page: found.page, parent: found.parent ?? null, index: found.index };
    }
    all ??= new Map(
      [...tree.all()].map(({ page, parent, index }) => [page.id, { page, parent: parent ?? null, index }]),
    );
    return all.get(id);
  };
}

function changedFields(before: PageItem, after: PageItem): Set<string> {
  if (before === after) return new Set();
  const [old, now] = [
    before as unknown as Record<string, unknown>,
    after as unknown as Record<string, unknown>,
  ];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  names.delete('children');
  return new Set([...names].filter((name) => !isSame(old[name], now[name])));
}

/** Tells whether two JSON values are equal. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return canonical(a) === canonical(b);
}
