import { isInside, isMarkdown, nameOf } from './paths.ts';
import type { PlannedPage } from './pagePlan.ts';
import type { RepositoryFiles, TreeEntry } from './types.ts';
import type { Warnings } from '../contentWarnings.ts';

type Folder = { path: string; readme?: TreeEntry; files: TreeEntry[]; folders: Map<string, Folder> };

/**
 * Plans the navigation of a space without SUMMARY.md: a folder is a page with its README, otherwise an empty
 * page; names are in byte order. Omits folders whose name begins with a dot, and folders without Markdown.
 * Folders deeper than `maxDepth` move up to it.
 */
export function planFromFolders(
  entries: RepositoryFiles['entries'],
  {
    root,
    landing,
    maxDepth,
    warnings,
  }: { root: string; landing: string | undefined; maxDepth: number; warnings: Warnings },
): PlannedPage[] {
  const top = newFolder(root);
  for (const entry of entries.values()) {
    if (
      entry.path === root ||
      !isInside(entry.path, root) ||
      !isMarkdown(entry.path) ||
      entry.path === landing
    )
      continue;
    const segments = entry.path.slice(root === '' ? 0 : root.length + 1).split('/');
    const name = segments.pop();
    if (segments.some((segment) => segment.startsWith('.'))) continue;
    if (segments.length > maxDepth)
      warnings.add('page_depth', `Pages below level ${maxDepth} were moved up to it.`, entry.path);
    let folder = top;
    for (const segment of segments) {
      const inner =
        folder.folders.get(segment) ?? newFolder(folder.path === '' ? segment : `${folder.path}/${segment}`);
      folder.folders.set(segment, inner);
      folder = inner;
    }
    if (name === 'README.md' && folder !== top) folder.readme = entry;
    else folder.files.push(entry);
  }
  const first = landing === undefined ? undefined : entries.get(landing);
  const pages = pagesOf(top, 1, maxDepth);
  return first ? [{ kind: 'file', entry: first, children: [] }, ...pages] : pages;
}

function pagesOf(folder: Folder, depth: number, maxDepth: number): PlannedPage[] {
  const members = [
    ...folder.files.map((entry) => ({
      name: nameOf(entry.path),
      pages: (): PlannedPage[] => [{ kind: 'file', entry, children: [] }],
    })),
    ...[...folder.folders].map(([name, inner]) => ({
      name,
      pages: () => pagesOfFolder(inner, depth, maxDepth),
    })),
  ];
  return members
    .sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)))
    .flatMap(({ pages }) => pages());
}

function pagesOfFolder(folder: Folder, depth: number, maxDepth: number): PlannedPage[] {
  const inner = pagesOf(folder, depth + 1, maxDepth);
  const children = depth >= maxDepth ? [] : inner;
  const page: PlannedPage = folder.readme
    ? { kind: 'file', entry: folder.readme, children }
    : { kind: 'empty', title: nameOf(folder.path), folder: folder.path, children };
  return depth >= maxDepth ? [page, ...inner] : [page];
}

function newFolder(path: string): Folder {
  return { path, files: [], folders: new Map() };
}
