import { isInside, join, pagePathOfFile } from '@bindery/dialect/repository-format';
import { contentRootOf, fileOfPage } from '../../references/contentRoot.ts';
import type { DocumentPage, PageItem } from '../../store/items.ts';
import type { PageLookup } from '../../tree/pageLookup.ts';
import type { TargetLayout } from '../readTarget.ts';
import { treeLookup } from './treeLookup.ts';
import type { ExportedContent } from '../types.ts';

/** Content as it is before the export: its pages, ready for look-ups, and where its files stood. */
export type OldPlaces = {
  content: ExportedContent;
  tree: PageLookup;
  /** The content root that the paths of its files begin with. */
  root: string;
  /** Every page that has a file, or is to get one, in the order of the navigation. */
  written: readonly DocumentPage[];
  /** A path below the content's root as one below the target's; undefined for one that is not below it. */
  rebased(path: string): string | undefined;
  /** Where links to a page lead: its file, or the one that it would have. */
  placeOf(page: PageItem): string;
};

export function oldPlacesOf(content: ExportedContent, target: TargetLayout): OldPlaces {
  const tree = treeLookup(content.pages);
  const root = rootOf(content, tree, target);
  const rebased = (path: string) => {
    if (root === target.root) return path;
    return path !== root && isInside(path, root) ? join(target.root, root === '' ? path : path.slice(root.length + 1)) : undefined;
  };
  return {
    content,
    tree,
    root,
    written: [...tree.all()].flatMap(({ page }) => (page.type === 'document' && page.document !== undefined ? [page] : [])),
    rebased,
    placeOf: (page) => fileOfPage(page, root),
  };
}

/**
 * The target's root, where most of the content stands in the repository as it is, or where the pages have their paths from below it. Otherwise the
 * content came from somewhere else, and its pages say where they stood there.
 */
function rootOf({ files, reusableContents }: ExportedContent, tree: PageLookup, { root, readme, entries }: TargetLayout): string {
  const pages = [...tree.all()].flatMap(({ page }) => (page.type === 'document' && page.git ? [{ ...page, git: page.git }] : []));
  const items = [...pages, ...files, ...reusableContents].flatMap(({ git }) => git ?? []);
  const standing = items.filter(({ path, oid }) => entries.get(path)?.oid === oid && isInside(path, root));
  const fitting = pages.filter(({ git: { path }, path: own, filePath: wanted = own }) => {
    return path !== root && isInside(path, root) && pagePathOfFile(path, { root, landing: readme }) === wanted;
  });
  return standing.length * 2 >= items.length || fitting.length * 2 > pages.length ? root : contentRootOf(tree);
}
