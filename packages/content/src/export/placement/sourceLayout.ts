import { isInside, join, pagePathOfFile } from '@bindery/dialect/repository-format';
import { contentRootOf, fileOfPage } from '../../references/contentRoot.ts';
import type { DocumentPage, PageItem } from '../../store/items.ts';
import type { PageLookup } from '../../tree/pageLookup.ts';
import type { TargetLayout } from '../readTarget.ts';
import { treeLookup } from './treeLookup.ts';
import type { ExportedContent } from '../types.ts';

/** The layout of content before the export: its pages, and the git locations of its files. */
export type SourceLayout = {
  content: ExportedContent;
  tree: PageLookup;
  /** The content root of the content's file paths. */
  root: string;
  /** Every page that has or will have a file, in the order of the navigation. */
  written: readonly DocumentPage[];
  /** Converts a path below the content's root to one below the target's; undefined for a path outside. */
  rebased(path: string): string | undefined;
  /** The file of a page, or the file that it would have: the target of links to the page. */
  fileOf(page: PageItem): string;
};

export function sourceLayoutOf(content: ExportedContent, target: TargetLayout): SourceLayout {
  const tree = treeLookup(content.pages);
  const root = rootOf(content, tree, target);
  const rebased = (path: string) => {
    if (root === target.root) return path;
    return path !== root && isInside(path, root)
      ? join(target.root, root === '' ? path : path.slice(root.length + 1))
      : undefined;
  };
  return {
    content,
    tree,
    root,
    written: [...tree.all()].flatMap(({ page }) =>
      page.type === 'document' && page.document !== undefined ? [page] : [],
    ),
    rebased,
    fileOf: (page) => fileOfPage(page, root),
  };
}

/**
 * Chooses the target's root if at least half of the content is in the repository unchanged, or if the paths
 * of most pages follow from it. Otherwise the content came from another root, which its pages state.
 */
function rootOf(
  { files, reusableContents }: ExportedContent,
  tree: PageLookup,
  { root, readme, entries }: TargetLayout,
): string {
  const pages = [...tree.all()].flatMap(({ page }) =>
    page.type === 'document' && page.git ? [{ ...page, git: page.git }] : [],
  );
  const items = [...pages, ...files, ...reusableContents].flatMap(({ git }) => git ?? []);
  const standing = items.filter(({ path, oid }) => entries.get(path)?.oid === oid && isInside(path, root));
  const fitting = pages.filter(({ git: { path }, path: own, filePath: wanted = own }) => {
    return (
      path !== root && isInside(path, root) && pagePathOfFile(path, { root, landing: readme }) === wanted
    );
  });
  return standing.length * 2 >= items.length || fitting.length * 2 > pages.length
    ? root
    : contentRootOf(tree);
}
