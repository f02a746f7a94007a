import { LRUCache } from 'lru-cache';
import { otherPathsOf } from '../tree/pageLookup.ts';
import type { PageItem, PageTree } from './items.ts';
import { contentKey, loadNodes, type NodeBatch } from './nodes.ts';

/** Adds a tree of pages to a batch, children before their parents. @returns the root's hash */
export function addTree(batch: NodeBatch, pages: readonly PageTree[]): string {
  return batch.add(
    pages.map((page): PageItem => {
      if (!('pages' in page)) return page;
      const { pages: children, ...item } = page;
      return children.length > 0 ? { ...item, children: addTree(batch, children) } : item;
    }),
  );
}

/** Reads a whole tree, with one query per level. */
export async function loadTree(organization: string, root: string): Promise<PageTree[]> {
  return (await loadTrees(organization, [root]))[0]!;
}

/**
 * Reads whole trees, with one query per level. Lists of pages that are the same in several trees are one list
 * in memory, also in a process that gets the trees in one message.
 */
export async function loadTrees(organization: string, roots: readonly string[]): Promise<PageTree[][]> {
  const nodes = new Map<string, PageItem[]>();
  for (let level = [...new Set(roots)]; level.length > 0;) {
    const loaded = await loadNodes<PageItem>(organization, level);
    const next: string[] = [];
    for (const [hash, items] of loaded) {
      nodes.set(hash, items);
      for (const item of items)
        if ('children' in item && item.children && !nodes.has(item.children)) next.push(item.children);
    }
    level = next;
  }
  const assembled = new Map<string, PageTree[]>();
  const assemble = (hash: string): PageTree[] => {
    const known = assembled.get(hash);
    if (known) return known;
    const pages = (nodes.get(hash) ?? []).map((item): PageTree => {
      if (item.type === 'link' || item.type === 'computed') return item;
      const { children, ...page } = item;
      return { ...page, pages: children ? assemble(children) : [] };
    });
    assembled.set(hash, pages);
    return pages;
  };
  return roots.map(assemble);
}

/** A page with its ancestors, outermost first. */
export type FoundPage = { page: PageTree; ancestors: PageTree[] };

/** Every page of one tree, by id, by path, and by the path of its file and its old paths. */
export type PageIndex = {
  tree: PageTree[];
  byId: ReadonlyMap<string, FoundPage>;
  byPath: ReadonlyMap<string, FoundPage>;
  byFilePath: ReadonlyMap<string, FoundPage>;
};

/** Readers of new content come all at once, and share one load. */
const indexes = new LRUCache<string, PageIndex, { organization: string; root: string }>({
  maxSize: 200_000,
  sizeCalculation: (index) => 1 + index.byId.size,
  // A load goes on when larger trees take its place meanwhile.
  ignoreFetchAbort: true,
  fetchMethod: async (_key, _stale, { context: { organization, root } }) =>
    indexPages(await loadTree(organization, root)),
});

/** Loads the pages of a tree, indexed for look-ups. A tree never changes, so its index is cached. */
export async function loadPageIndex(organization: string, root: string): Promise<PageIndex> {
  return indexes.forceFetch(contentKey(organization, root), { context: { organization, root } });
}

/** Indexes a tree from which the caller omitted pages. */
export function indexPages(tree: PageTree[]): PageIndex {
  const byId = new Map<string, FoundPage>();
  const byPath = new Map<string, FoundPage>();
  const byFilePath = new Map<string, FoundPage>();
  const visit = (pages: PageTree[], ancestors: PageTree[]) => {
    for (const page of pages) {
      const found = { page, ancestors };
      byId.set(page.id, found);
      if ('path' in page && !byPath.has(page.path)) byPath.set(page.path, found);
      for (const path of otherPathsOf(page)) if (!byFilePath.has(path)) byFilePath.set(path, found);
      if ('pages' in page) visit(page.pages, [...ancestors, page]);
    }
  };
  visit(tree, []);
  // The empty path leads to the landing page: the first document of the tree.
  if (!byPath.has('')) {
    const landing = [...byId.values()].find(({ page }) => page.type === 'document');
    if (landing) byPath.set('', landing);
  }
  return { tree, byId, byPath, byFilePath };
}
