import type { ContentTree, PageItem, PageTree, TreeEdit } from '@bindery/content';
import { createNodeBatch } from '../../packages/content/src/store/nodes.ts';
import { addTree } from '../../packages/content/src/store/tree.ts';
import {
  childrenOf,
  locate,
  otherPathsOf,
  pageAtPath,
  treeOf,
  type LocatedPage,
  type TreeNodes,
} from '../../packages/content/src/tree/pageLookup.ts';
import { editTree } from '../../packages/content/src/tree/treeEdit.ts';

/** Creates a page tree without a store, for tests of trees alone. */
export function memoryTree(pages: readonly PageTree[]): ContentTree {
  const nodes = new Map<string, PageItem[]>();
  const add = (list: readonly PageTree[]): string => {
    const items = list.map((page): PageItem => {
      if (!('pages' in page)) return page;
      const { pages: children, ...item } = page;
      return children.length > 0 ? { ...item, children: add(children) } : item;
    });
    const hash = rootOf(list);
    nodes.set(hash, items);
    return hash;
  };
  const root = add(pages);
  const itemsAt = (hash: string) => nodes.get(hash) as PageItem[];
  function* walk(hash: string, ancestors: readonly PageItem[]): Iterable<LocatedPage> {
    for (const [index, page] of itemsAt(hash).entries()) {
      yield locate(page, ancestors, index);
      const children = childrenOf(page);
      if (children !== undefined) yield* walk(children, [...ancestors, page]);
    }
  }
  const find: TreeNodes['find'] = (hash, by, key, ancestors) => {
    for (const located of walk(hash, ancestors)) {
      const { page } = located;
      const files = page.type === 'document' ? page.git?.path : undefined;
      const paths = 'path' in page ? page.path : undefined;
      const found =
        by === 'filePaths' ? otherPathsOf(page).includes(key) : { ids: page.id, paths, files }[by] === key;
      if (found) return located;
    }
    return undefined;
  };
  const treeNodes: TreeNodes = { items: itemsAt, find, walk };
  const page = (id: string) => find(root, 'ids', id, []);
  const all = () => walk(root, []);
  const list = (hash: string | undefined) => (hash === undefined ? [] : itemsAt(hash));
  const below = (item: PageItem): PageTree => treeOf(item, () => list(childrenOf(item)).map(below));
  return {
    organization: 'memory',
    root,
    node: itemsAt,
    page,
    pageAtPath: (path) => pageAtPath(path, (key) => find(root, 'paths', key, []), all),
    pageAtFilePath: (path) => find(root, 'filePaths', path, []),
    pageOfFile: (path) => find(root, 'files', path, []),
    list: (parent) => list(parent === null ? root : childrenOf(page(parent)?.page)),
    all,
    subtree: (id) => {
      const found = page(id);
      return found && below(found.page);
    },
    hasTreePaths: () => true,
    edit: () => editTree('memory', root, treeNodes),
  };
}

/** Returns the pages of a tree being edited. */
export function pagesOf(edit: TreeEdit): PageTree[] {
  return edit.list(null).map(({ id }) => edit.subtree(id) as PageTree);
}

/** Returns the hash under which these pages would be stored. */
export function rootOf(pages: readonly PageTree[]): string {
  return addTree(createNodeBatch('memory'), pages);
}
