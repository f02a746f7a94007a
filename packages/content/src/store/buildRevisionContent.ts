import { compact, newId } from '@bindery/runtime';
import {
  type PagePath,
  join,
  pagePathOfFolder,
  type ImportedPage,
  type LinkTarget,
  type PageCover,
  type SpaceContent,
} from '@bindery/dialect/repository-format';
import { otherPathsOf } from '../tree/pageLookup.ts';
import { slugSupply } from '../tree/slugSupply.ts';
import { safeStem } from '../export/placement/safeNames.ts';
import { canonical } from './hash.ts';
import type { ContentReference, CoverReference } from '@bindery/dialect/links';
import type { FileItem, GitLocation, PageTree, ReusableContentItem } from './items.ts';
import { matchPages, type PageMatcher } from './matchPages.ts';
import { pairByPath } from './pairByPath.ts';
import type { RevisionContent } from './revisions.ts';
import { storedFields } from './storedFields.ts';

/** The stored blobs of a repository, by oid: their hash, and the size of files. */
export type KnownBlobs = {
  documentOf(oid: string): string;
  fileOf(oid: string): Pick<FileItem, 'blob' | 'sizeBytes' | 'contentType' | 'dimensions'>;
};

export type PreviousContent = {
  pages: PageTree[];
  files: FileItem[];
  reusableContents: ReusableContentItem[];
  /** Pages that the space got since that content, without the pages below them. */
  created?: PageTree[];
};

/**
 * Converts the content of a repository to the content of a revision: pages, files and reusable contents keep
 * their ids, matched by path, then by identical content, then by similarity; unchanged objects keep their
 * times.
 *
 * @param changedAt  time of new and changed objects, ISO 8601
 */
export async function buildRevisionContent(
  imported: SpaceContent,
  {
    previous,
    blobs,
    changedAt,
    textOf,
  }: {
    previous: PreviousContent;
    blobs: KnownBlobs;
    changedAt: string;
    textOf: (documents: string[]) => Promise<Map<string, string>>;
  },
): Promise<RevisionContent> {
  const matcher = await matchPages(imported.pages, {
    previous: previous.pages,
    created: previous.created,
    documentOf: blobs.documentOf,
    textOf,
  });
  const files = keepIds(
    previous.files,
    imported.files.map(({ name, git }): FileItem => ({ id: '', name, git, ...blobs.fileOf(git.oid) })),
    (file) => file.blob,
  );
  const reusableContents = keepIds(
    previous.reusableContents,
    imported.includes.map(({ title, git }): ReusableContentItem => ({
      id: '',
      title,
      document: blobs.documentOf(git.oid),
      git,
    })),
    (content) => content.document,
  );
  const references = createReferences(matcher, files);
  const context: Context = {
    matcher,
    references,
    blobs,
    changedAt,
    paths: keptPaths(imported.pages, matcher),
  };
  return {
    pages: imported.pages.map((page) => buildPage(page, context)),
    files,
    reusableContents,
    variables: imported.variables,
    redirects: imported.configuration.redirects.map(({ from, to, page }) => {
      const id = page && matcher.idOfPath(page.path);
      return { from, to, page: id, anchor: id && (page.anchor || undefined) };
    }),
  };
}

type Context = {
  matcher: PageMatcher;
  references: References;
  blobs: KnownBlobs;
  changedAt: string;
  paths: ReadonlyMap<ImportedPage, KeptPath>;
};

function buildPage(page: ImportedPage, context: Context): PageTree {
  const built = contentOfPage(page, context);
  const { id, previous } = context.matcher.matchOf(page);
  const fresh = { ...built, id, createdAt: context.changedAt, updatedAt: context.changedAt } as PageTree;
  if (!previous) return fresh;
  const isSame = isEqual(ownPart(fresh), ownPart(previous));
  return {
    ...fresh,
    createdAt: previous.createdAt,
    updatedAt: isSame ? previous.updatedAt : context.changedAt,
  };
}

/**
 * The properties that count as a change of the page itself: neither its children, which have their own
 * changes, nor the other paths that lead to it.
 */
function ownPart(page: PageTree): object {
  return {
    ...page,
    filePath: undefined,
    oldPaths: undefined,
    createdAt: undefined,
    updatedAt: undefined,
    pages: undefined,
  };
}

/** Compares plain JSON first: nearly all objects are equal, with their keys in the same order. */
function isEqual(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b) || canonical(a) === canonical(b);
}

type Unbuilt<T> = T extends unknown ? Omit<T, 'id' | 'createdAt' | 'updatedAt'> : never;

function contentOfPage(page: ImportedPage, context: Context): Unbuilt<PageTree> {
  switch (page.type) {
    case 'group':
      return {
        type: 'group',
        title: page.title,
        ...(context.paths.get(page) as KeptPath),
        pages: page.pages.map((child) => buildPage(child, context)),
      };
    case 'link':
      return {
        type: 'link',
        title: page.title,
        linkTitle: page.linkTitle,
        target: context.references.of(page.target),
      };
    case 'computed':
      return { type: 'computed', title: page.title, computed: page.computed };
    case 'document': {
      const { git, cover } = page;
      return {
        type: 'document',
        ...(context.paths.get(page) as KeptPath),
        ...storedFields(page),
        cover: cover && context.references.ofCover(cover),
        git,
        document: git && context.blobs.documentOf(git.oid),
        pages: page.pages.map((child) => buildPage(child, context)),
      };
    }
  }
}

type KeptPath = PagePath & { oldPaths?: string[] };

/** The most old paths that a page keeps. */
const maxOldPaths = 4;

/**
 * Assigns the paths of imported pages. A page without a file takes its slug from its title, but keeps the
 * slug that it has in the space as long as its title stays, so that nothing below it moves. Previous paths of
 * pages keep leading to them if no page has them now.
 */
function keptPaths(
  pages: readonly ImportedPage[],
  matcher: PageMatcher,
): ReadonlyMap<ImportedPage, KeptPath> {
  const paths = new Map<ImportedPage, KeptPath>();
  const visit = (siblings: readonly ImportedPage[], above: string) => {
    const slugs = slugsOf(siblings, matcher);
    for (const page of siblings) {
      if (!('slug' in page)) continue;
      const slug = slugs.get(page) as string;
      const path = join(above, slug);
      const filePath = page.filePath ?? page.path;
      paths.set(page, compact({ slug, path, filePath: filePath === path ? undefined : filePath }));
      visit(page.pages, path);
    }
  };
  visit(pages, '');
  const taken = new Set([
    '',
    ...[...paths.values()].flatMap(({ path, filePath = path }) => [path, filePath]),
  ]);
  for (const [page, path] of paths) {
    const { previous } = matcher.matchOf(page);
    if (!previous || !('path' in previous)) continue;
    const known = new Set([previous.path, ...otherPathsOf(previous)]);
    const oldPaths = [...known.difference(taken)].slice(0, maxOldPaths);
    for (const old of oldPaths) taken.add(old);
    if (oldPaths.length > 0) paths.set(page, { ...path, oldPaths });
  }
  return paths;
}

function slugsOf(siblings: readonly ImportedPage[], matcher: PageMatcher): ReadonlyMap<ImportedPage, string> {
  const slugs = new Map<ImportedPage, string>();
  const taken = new Set<string>();
  const give = (page: ImportedPage, slug: string) => {
    slugs.set(page, slug);
    taken.add(slug);
  };
  const named = siblings.filter((page) => 'slug' in page);
  const ofFiles = new Set(named.flatMap((page) => (isFile(page) ? [page.slug] : [])));
  for (const page of named.filter(isFile)) {
    const slug = slugBehindName(page, matcher) ?? page.slug;
    give(page, ofFiles.has(slug) || taken.has(slug) ? page.slug : slug);
  }
  for (const page of named) {
    const { previous } = slugs.has(page) ? {} : matcher.matchOf(page);
    const slug =
      previous && 'slug' in previous && previous.path !== '' && previous.title === page.title
        ? previous.slug
        : '';
    if (slug !== '' && !taken.has(slug)) give(page, slug);
  }
  const slugOf = slugSupply((slug) => taken.has(slug));
  for (const page of named) if (!slugs.has(page)) give(page, slugOf(page.slug));
  return slugs;
}

type ImportedFile = Extract<ImportedPage, { type: 'document' }> & { git: GitLocation };

function isFile(page: ImportedPage): page is ImportedFile {
  return page.type === 'document' && page.git !== undefined;
}

/**
 * The slug that a page has had, where an export called the file otherwise only because git or a disk refuses
 * that name.
 */
function slugBehindName(page: ImportedFile, matcher: PageMatcher): string | undefined {
  const { previous } = matcher.matchOf(page);
  if (previous?.type !== 'document' || previous.git?.path !== page.git.path) return undefined;
  const name = safeStem(previous.slug);
  return name !== previous.slug && pagePathOfFolder(name) === page.slug ? previous.slug : undefined;
}

type References = {
  of(target: LinkTarget): ContentReference;
  ofCover(cover: PageCover): NonNullable<Extract<PageTree, { type: 'document' }>['cover']>;
};

/**
 * Converts paths of the repository to ids of this revision. A path without an object stays a URL, as written.
 */
function createReferences(matcher: PageMatcher, files: FileItem[]): References {
  const fileIds = new Map(files.map((file) => [file.git?.path, file.id]));
  const ofFile = (path: string): CoverReference => {
    const file = fileIds.get(path);
    return file ? { kind: 'file', file } : { kind: 'url', url: path };
  };
  const of = (target: LinkTarget): ContentReference => {
    switch (target.kind) {
      case 'url':
        return target;
      case 'space':
        return { kind: 'space', space: target.space };
      case 'git-file':
        return ofFile(target.path);
      case 'git-page': {
        const page = matcher.idOfPath(target.path);
        if (!page)
          return { kind: 'url', url: target.anchor ? `${target.path}#${target.anchor}` : target.path };
        return target.anchor ? { kind: 'anchor', anchor: target.anchor, page } : { kind: 'page', page };
      }
    }
  };
  const coverOf = (target: NonNullable<PageCover['ref']>) =>
    target.kind === 'url' ? target : ofFile(target.path);
  return {
    of,
    ofCover: ({ ref, refDark, yPos, heightPixels }) => ({
      ref: ref && coverOf(ref),
      refDark: refDark && coverOf(refDark),
      yPos,
      heightPixels,
    }),
  };
}

/**
 * Gives items the ids of the previous ones: by path, then by identical content; among copies by the most
 * similar path.
 */
function keepIds<Item extends FileItem | ReusableContentItem>(
  previous: readonly Item[],
  items: Item[],
  contentOf: (item: Item) => string,
): Item[] {
  const pathOf = (item: Item) => item.git?.path ?? '';
  const before = new Map(previous.flatMap((item) => (item.git ? [[item.git.path, item] as const] : [])));
  const paths = new Set(items.map(pathOf));
  // Only items that are missing at their old path can have moved.
  const gone = Map.groupBy(
    previous.filter((item) => !paths.has(pathOf(item))),
    contentOf,
  );
  const added = Map.groupBy(
    items.filter((item) => !before.has(pathOf(item))),
    contentOf,
  );
  for (const [content, group] of added) {
    const pairs = pairByPath(gone.get(content) ?? [], group, { pathOfBefore: pathOf, pathOfAfter: pathOf });
    for (const [item, moved] of pairs) before.set(pathOf(moved), item);
  }
  return items.map((item) => ({ ...item, id: before.get(pathOf(item))?.id ?? newId() }));
}
