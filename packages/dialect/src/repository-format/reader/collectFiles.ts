import { placesOfTarget } from './buildPages.ts';
import { isInside, nameOf } from '../paths.ts';
import { plannedPages, type PlannedPage } from '../pagePlan.ts';
import type { RepositoryIndex } from '../repositoryIndex.ts';
import type { ImportedFile, PageFacts, TreeEntry } from '../types.ts';

/**
 * Collects the files of the space: everything in the folder of uploaded files, and other files, except pages,
 * that pages, includes and the navigation link to. Ordered by path.
 */
export function collectFiles({
  planned,
  readers,
  factsOf,
  repository,
  fileRoots,
  assets,
}: {
  planned: readonly PlannedPage[];
  /** The Markdown files whose targets count. */
  readers: readonly TreeEntry[];
  factsOf(entry: TreeEntry): PageFacts;
  repository: RepositoryIndex;
  fileRoots: readonly [string, ...string[]];
  assets: string | undefined;
}): ImportedFile[] {
  const found = new Map<string, TreeEntry>();
  const add = (entry: TreeEntry | undefined) => entry && found.set(entry.path, entry);

  if (assets !== undefined)
    for (const entry of repository.entries.values()) if (isInside(entry.path, assets)) add(entry);
  for (const page of plannedPages(planned))
    if (page.kind === 'link' && page.target.kind === 'git-file')
      add(repository.entries.get(page.target.path));
  for (const reader of readers) {
    const { targets = [], frontmatter } = factsOf(reader);
    const covers = [frontmatter?.cover?.light, frontmatter?.cover?.dark].filter(
      (cover) => cover !== undefined,
    );
    for (const target of [...targets, ...covers])
      add(repository.followFileLink(target, placesOfTarget(target, reader.path, fileRoots)));
  }
  return [...found.values()]
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, oid, sizeBytes }) => ({
      name: nameOf(path),
      git: { oid, path },
      sizeBytes,
    }));
}
