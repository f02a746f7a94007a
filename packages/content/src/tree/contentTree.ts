import { LRUCache } from 'lru-cache';
import type { PageItem, PageTree } from '../store/items.ts';
import { contentKey, loadNodes } from '../store/nodes.ts';
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
import { editTree, type TreeEdit } from './treeEdit.ts';

/**
 * The page tree of a revision, node by node as stored. Each node is indexed once for all trees that share it,
 * so that after an edit only the nodes on the edited path are indexed.
 */
export type ContentTree = PageLookup & {
  organization: string;
  /** Hash of the root node. */
  root: string;
  /** The pages of one node of the tree, as stored. */
  node(hash: string): readonly PageItem[];
  /**
   * Tells whether every path consists of the parent's path and the page's own slug. Content of earlier
   * versions may differ; see `settleTreePaths`.
   */
  hasTreePaths(): boolean;
  /** Returns a copy to be changed; the tree itself never changes. */
  edit(): TreeEdit;
};

type Node = Record<Key, ReadonlyMap<string, number>> & {
  items: readonly PageItem[];
  /** The indexes of items with children. */
  branches: readonly number[];
  /**
   * The parent path from which the paths of all items follow, each with its own slug; undefined if no item
   * has a path, null if there is no such path.
   */
  above: string | null | undefined;
};

/** Maximum number of pages in cached trees; shared nodes count once per tree. */
const maxKeptPages = 250_000;
const trees = new LRUCache<string, ContentTree>({ maxSize: maxKeptPages });
const nodesOfItems = new WeakMap<readonly PageItem[], Node>();

/** Reads a tree, with one query per level for the nodes that are not cached. */
export async function openTree(organization: string, root: string): Promise<ContentTree> {
  const key = contentKey(organization, root);
  const known = trees.get(key);
  if (known) return known;
  const nodes = new Map<string, Node>();
  let pages = 0;
  for (let level = [root]; level.length > 0;) {
    const below = new Set<string>();
    for (const [hash, items] of await loadNodes<PageItem>(organization, level)) {
      const node = nodeOf(items);
      nodes.set(hash, node);
      pages += items.length;
      for (const index of node.branches) {
        const child = childrenOf(items[index]);
        if (child !== undefined && !nodes.has(child)) below.add(child);
      }
    }
    level = [...below];
  }
  const tree = createTree(organization, root, treeNodes(nodes));
  trees.set(key, tree, { size: 1 + pages });
  return tree;
}

function createTree(organization: string, root: string, nodes: ReturnType<typeof treeNodes>): ContentTree {
  const page = (id: string) => nodes.find(root, 'ids', id, []);
  const all = () => nodes.walk(root, []);
  const list = (parent: string | null) => {
    const hash = parent === null ? root : childrenOf(page(parent)?.page);
    return hash === undefined ? [] : nodes.items(hash);
  };
  const below = (item: PageItem): PageTree => {
    const hash = childrenOf(item);
    return treeOf(item, () => (hash === undefined ? [] : nodes.items(hash).map(below)));
  };
  return {
    organization,
    root,
    node: (hash) => nodes.items(hash),
    page,
    pageAtPath: (path) => pageAtPath(path, (key) => nodes.find(root, 'paths', key, []), all),
    pageAtFilePath: (path) => nodes.find(root, 'filePaths', path, []),
    pageOfFile: (path) => nodes.find(root, 'files', path, []),
    list,
    all,
    subtree: (id) => {
      const found = page(id);
      return found && below(found.page);
    },
    hasTreePaths: once(() => nodes.followTree(root, '')),
    edit: () => editTree(organization, root, nodes),
  };
}

function once(find: () => boolean): () => boolean {
  let found: boolean | undefined;
  return () => (found ??= find());
}

function treeNodes(
  nodes: ReadonlyMap<string, Node>,
): TreeNodes & { followTree(hash: string, above: string): boolean } {
  const nodeAt = (hash: string) => nodes.get(hash) as Node;
  const find: TreeNodes['find'] = (hash, by, key, ancestors) => {
    const node = nodeAt(hash);
    const index = node[by].get(key);
    if (index !== undefined) return locate(node.items[index] as PageItem, ancestors, index);
    for (const branch of node.branches) {
      const item = node.items[branch] as PageItem;
      const found = find(childrenOf(item) as string, by, key, [...ancestors, item]);
      if (found) return found;
    }
    return undefined;
  };
  function* walk(hash: string, ancestors: readonly PageItem[]): Iterable<LocatedPage> {
    for (const [index, page] of nodeAt(hash).items.entries()) {
      yield locate(page, ancestors, index);
      const children = childrenOf(page);
      if (children !== undefined) yield* walk(children, [...ancestors, page]);
    }
  }
  const followTree = (hash: string, above: string): boolean => {
    const node = nodeAt(hash);
    if (node.above !== undefined && node.above !== above) return false;
    return node.branches.every((branch) => {
      const item = node.items[branch] as PageItem;
      return 'path' in item && followTree(childrenOf(item) as string, item.path);
    });
  };
  return { items: (hash) => nodeAt(hash).items, find, walk, followTree };
}

function nodeOf(items: readonly PageItem[]): Node {
  const known = nodesOfItems.get(items);
  if (known) return known;
  const ids = new Map<string, number>();
  const paths = new Map<string, number>();
  const filePaths = new Map<string, number>();
  const files = new Map<string, number>();
  const branches: number[] = [];
  for (const [index, item] of items.entries()) {
    ids.set(item.id, index);
    // The first page keeps a path, as in the navigation.
    if ('path' in item && !paths.has(item.path)) paths.set(item.path, index);
    for (const path of otherPathsOf(item)) if (!filePaths.has(path)) filePaths.set(path, index);
    if (item.type === 'document' && item.git && !files.has(item.git.path)) files.set(item.git.path, index);
    if (childrenOf(item) !== undefined) branches.push(index);
  }
  const node = { items, ids, paths, filePaths, files, branches, above: pathAbove(items) };
  nodesOfItems.set(items, node);
  return node;
}

function pathAbove(items: readonly PageItem[]): Node['above'] {
  const slugs = new Set<string>();
  let above: string | undefined;
  for (const item of items) {
    if (!('path' in item)) continue;
    const { slug, path } = item;
    const found = pathBefore(path, slug);
    if (found === null || slug === '' || slugs.has(slug) || (above !== undefined && found !== above))
      return null;
    slugs.add(slug);
    above = found;
  }
  return above;
}

/** Returns null for a path that does not end with the slug. */
function pathBefore(path: string, slug: string): string | null {
  if (path === slug) return '';
  return path.endsWith(`/${slug}`) ? path.slice(0, -slug.length - 1) : null;
}
