import { newId } from '@bindery/runtime';
import type { ImportedDocument, ImportedPage } from '@bindery/dialect/repository-format';
import type { GitLocation, PageTree } from './items.ts';
import { matchSimilar } from './matchSimilar.ts';
import { pairByPath } from './pairByPath.ts';

type PreviousDocument = Extract<PageTree, { type: 'document' }> & { git: GitLocation };
type NewDocument = ImportedDocument & { git: GitLocation };

export type PageMatcher = {
  /** The id of an imported page, and its previous version. */
  matchOf(page: ImportedPage): { id: string; previous?: PageTree };
  /** Id of the page of a repository file. */
  idOfPath(path: string): string | undefined;
};

/**
 * Matches imported pages to the previous ones, whose ids they keep, so that links and comments stay attached.
 *
 * In this order: files that swapped paths, the same path, the same content elsewhere, an equivalent path
 * (other case, README of a folder), similar text. Pages without a file are matched by their own properties.
 *
 * @param from.created  pages that the space got since, in any order, without the pages below them: a new file
 *   with the path of one of them, or with its title and content, is that page, and so is a new group or link
 *   with its title
 */
export async function matchPages(
  pages: readonly ImportedPage[],
  {
    previous,
    created = [],
    documentOf,
    textOf,
  }: {
    previous: readonly PageTree[];
    created?: readonly PageTree[];
    documentOf(oid: string): string;
    textOf(documents: string[]): Promise<Map<string, string>>;
  },
): Promise<PageMatcher> {
  const imported = flattenImported(pages);
  const matches = new Map<ImportedPage, PageTree>();
  const left = new Set(flattenPrevious(previous));
  const newDocumentOf = ({ git }: NewDocument) => documentOf(git.oid);

  const match = (before: PageTree | undefined, page: ImportedPage) => {
    if (!before || !left.has(before) || matches.has(page)) return;
    left.delete(before);
    matches.set(page, before);
  };
  const added = () => imported.filter((page): page is NewDocument => isFile(page) && !matches.has(page));
  const gone = () => [...left].filter((page): page is PreviousDocument => isFile(page));
  const matchEqual = (
    keyOfBefore: (page: PreviousDocument) => string | undefined,
    keyOf: (page: NewDocument) => string,
  ) => {
    const byKey = Map.groupBy(gone(), keyOfBefore);
    for (const [key, group] of Map.groupBy(added(), keyOf)) {
      const paths = {
        pathOfBefore: ({ git }: PreviousDocument) => git.path,
        pathOfAfter: ({ git }: NewDocument) => git.path,
      };
      for (const [before, page] of pairByPath(byKey.get(key) ?? [], group, paths)) match(before, page);
    }
  };

  for (const [before, page] of exchanged(gone(), added(), newDocumentOf)) match(before, page);
  matchEqual(
    ({ git }) => git.path,
    ({ git }) => git.path,
  );
  matchEqual(({ document }) => document, newDocumentOf);
  matchEqual(
    ({ git }) => placeOf(git.path),
    ({ git }) => placeOf(git.path),
  );
  const similar = await matchSimilar(
    gone().map((page) => ({ page, path: page.git.path, document: page.document ?? '' })),
    added().map((page) => ({ page, path: page.git.path, document: newDocumentOf(page) })),
    textOf,
  );
  for (const [before, { page }] of similar) match(before.page, page);

  for (const [page, before] of pairsOf(created, added(), newDocumentOf)) {
    left.delete(before);
    matches.set(page, before);
  }

  const selves = [
    (page: ImportedPage | PageTree) => `${describe(page)} ${page.title}`,
    (page: ImportedPage | PageTree) => `${describe(page, filePathOf(page))} ${page.title}`,
    titled,
    describe,
    (page: ImportedPage | PageTree) => describe(page, filePathOf(page)),
  ];
  const ownCreated = new Set(created.filter((page) => page.type !== 'document'));
  for (const candidates of [left, ownCreated]) {
    for (const self of selves) {
      const bySelf = Map.groupBy(candidates, (page) => self(page));
      for (const page of imported) {
        const before = matches.has(page) || isFile(page) ? undefined : bySelf.get(self(page))?.shift();
        if (!before) continue;
        candidates.delete(before);
        matches.set(page, before);
      }
    }
  }

  const ids = new Map(imported.map((page) => [page, matches.get(page)?.id ?? newId()]));
  const idsByPath = new Map(
    imported.flatMap((page) => (isFile(page) ? [[page.git.path, ids.get(page)] as const] : [])),
  );
  return {
    matchOf: (page) => {
      const before = matches.get(page);
      return { id: ids.get(page) as string, previous: before };
    },
    idOfPath: (path) => idsByPath.get(path),
  };
}

/**
 * Pages whose files swapped paths, each with the content of another one and none left over; matching by path
 * alone would confuse them.
 */
function exchanged(
  before: readonly PreviousDocument[],
  pages: readonly NewDocument[],
  documentOf: (page: NewDocument) => string,
): [PreviousDocument, NewDocument][] {
  const byPath = new Map(before.map((page) => [page.git.path, page]));
  const changed = new Map(
    pages
      .filter((page) => byPath.has(page.git.path) && byPath.get(page.git.path)?.document !== documentOf(page))
      .map((page) => [page.git.path, page]),
  );
  const sources = Map.groupBy(
    [...byPath.values()].filter(({ git }) => changed.has(git.path)),
    ({ document }) => document,
  );
  /** The only page that had the current content of a path. */
  const sourceOf = (page: NewDocument) => {
    const [source, other] = sources.get(documentOf(page)) ?? [];
    return other ? undefined : source;
  };
  const seen = new Set<NewDocument>();
  const pairs: [PreviousDocument, NewDocument][] = [];
  for (const first of changed.values()) {
    const chain: typeof pairs = [];
    let page: NewDocument | undefined = first;
    while (page && !seen.has(page)) {
      seen.add(page);
      const source = sourceOf(page);
      if (!source) break;
      chain.push([source, page]);
      page = changed.get(source.git.path);
      if (page === first) pairs.push(...chain);
    }
  }
  return pairs;
}

/** Maps equivalent paths to one value: in other case, composed differently, `x.md` or the README of `x`. */
function placeOf(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?:(^|\/)(?:readme|index))?\.(?:md|markdown)$/, '');
}

function isFile(page: ImportedPage | PageTree): page is (NewDocument | PreviousDocument) & typeof page {
  return page.type === 'document' && page.git !== undefined;
}

function describe(page: ImportedPage | PageTree, path = 'path' in page ? page.path : ''): string {
  // Ignores the target, which is a path in a repository, but an id in the store.
  if (page.type === 'link') return `link ${page.title}`;
  if (page.type === 'computed') return `computed ${page.title} ${JSON.stringify(page.computed.dependencies)}`;
  return `${page.type} ${path}`;
}

/** The slug of a page without a file may differ from the one that its title gives. */
function titled(page: ImportedPage | PageTree): string {
  return `${page.type} ${page.title}`;
}

/** The path that a page had when paths followed files. */
function filePathOf(page: ImportedPage | PageTree): string {
  return 'path' in page ? (page.filePath ?? page.path) : '';
}

function flattenImported(pages: readonly ImportedPage[]): ImportedPage[] {
  return pages.flatMap((page) => ('pages' in page ? [page, ...flattenImported(page.pages)] : [page]));
}

function flattenPrevious(pages: readonly PageTree[]): PageTree[] {
  return pages.flatMap((page) => ('pages' in page ? [page, ...flattenPrevious(page.pages)] : [page]));
}

/**
 * Pairs new files with the pages of the space that have the same path and content, path, or title and
 * content: pages with the same content alone may be different ones that begin with one template.
 */
function pairsOf(
  created: readonly PageTree[],
  added: readonly NewDocument[],
  documentOf: (page: NewDocument) => string,
): Map<ImportedPage, PageTree> {
  const left = new Set(created.filter((page) => page.type === 'document'));
  const pairs = new Map<ImportedPage, PageTree>();
  const keys = [
    ({ path }: Named, document: string) => `${document} ${path}`,
    ({ path }: Named) => path,
    ({ title }: Named, document: string) => `${document} ${title}`,
  ];
  for (const keyOf of keys) {
    const byKey = Map.groupBy(left, (page) => keyOf(page, page.document ?? ''));
    for (const page of added) {
      const before = pairs.has(page) ? undefined : byKey.get(keyOf(page, documentOf(page)))?.shift();
      if (!before) continue;
      left.delete(before);
      pairs.set(page, before);
    }
  }
  return pairs;
}

type Named = { path: string; title: string };
