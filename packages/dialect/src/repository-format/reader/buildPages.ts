import type { PagePath } from '../assignPaths.ts';
import { coverFrom } from './coverFrom.ts';
import { foldersOfTarget } from '../linkForms.ts';
import { namedFile, pageFields } from '../pageFields.ts';
import { folderOf } from '../paths.ts';
import type { PlannedPage } from '../pagePlan.ts';
import type { RepositoryIndex } from '../repositoryIndex.ts';
import type {
  CoverTarget,
  ImportedChild,
  ImportedDocument,
  ImportedPage,
  PageCover,
  PageFacts,
  TreeEntry,
} from '../types.ts';
import { quoted, type Warnings } from '../../contentWarnings.ts';

export type PageSources = {
  paths: ReadonlyMap<PlannedPage, PagePath>;
  factsOf(entry: TreeEntry): PageFacts;
  repository: RepositoryIndex;
  /** The folders from which a page may use files; the first is the content root. */
  fileRoots: readonly [string, ...string[]];
  warnings: Warnings;
};

/** Builds pages from the navigation, their files and their paths. */
export function buildPages(planned: readonly PlannedPage[], sources: PageSources): ImportedPage[] {
  return planned.map((page): ImportedPage => {
    if (page.kind !== 'group') return buildChild(page, sources);
    return { type: 'group', title: page.title, ...pathOf(page, sources), pages: childrenOf(page, sources) };
  });
}

/** Returns the places to look up a target of a page. */
export function placesOfTarget(
  target: string,
  page: string,
  fileRoots: PageSources['fileRoots'],
): { folders: string[]; roots: readonly string[] } {
  return {
    roots: fileRoots,
    folders: foldersOfTarget(target, { root: fileRoots[0], folder: folderOf(page) }),
  };
}

type PlannedChild = Exclude<PlannedPage, { kind: 'group' }>;

function buildChild(page: PlannedChild, sources: PageSources): ImportedChild {
  switch (page.kind) {
    case 'link':
      return {
        type: 'link',
        title: page.title,
        linkTitle: page.linkTitle,
        target: page.target,
      };
    case 'computed':
      return { type: 'computed', title: page.title, computed: page.computed };
    case 'empty':
      return { ...emptyDocument(page.title, pathOf(page, sources)), pages: childrenOf(page, sources) };
    case 'file':
      return buildDocument(page, sources);
  }
}

function childrenOf(
  { children }: { children: readonly PlannedPage[] },
  sources: PageSources,
): ImportedChild[] {
  // Groups come from headings, which are only at the top.
  return children
    .filter((child): child is PlannedChild => child.kind !== 'group')
    .map((child) => buildChild(child, sources));
}

function buildDocument(page: Extract<PlannedPage, { kind: 'file' }>, sources: PageSources): ImportedDocument {
  const { path: file } = page.entry;
  const facts = sources.factsOf(page.entry);
  for (const { code, message } of facts.problems ?? []) sources.warnings.add(code, message, file);
  const fields = pageFields(namedFile(page), facts);
  return {
    ...emptyDocument(fields.title, pathOf(page, sources)),
    ...fields,
    cover: coverOf(file, facts.frontmatter ?? {}, sources),
    pages: childrenOf(page, sources),
  };
}

function pathOf(page: PlannedPage, { paths }: PageSources): PagePath {
  return paths.get(page) as PagePath;
}

function emptyDocument(title: string, path: PagePath): ImportedDocument {
  return {
    type: 'document',
    title,
    ...path,
    hidden: false,
    noIndex: false,
    noRobotsIndex: false,
    layout: {},
    pages: [],
  };
}

function coverOf(
  file: string,
  frontmatter: NonNullable<PageFacts['frontmatter']>,
  { repository, fileRoots, warnings }: PageSources,
): PageCover | undefined {
  return coverFrom(frontmatter, (written): CoverTarget | undefined => {
    const entry = repository.followFileLink(written, placesOfTarget(written, file, fileRoots));
    if (!entry)
      warnings.add('page_cover', `The cover ${quoted(written)} does not exist; the page has none.`, file);
    return entry && { kind: 'git-file', path: entry.path };
  });
}
