import { newId } from '@bindery/runtime';
import type { ImportedDocument, ImportedPage } from '../gitbook/types.ts';
import type { PageTree } from './items.ts';
import { similarity } from './similarity.ts';

/** Below this share of common lines two pages are two pages. */
const similarEnough = 0.5;
/** Comparing texts is the expensive step: with more candidates than these, renamed and edited pages are new ones. */
const maxCompared = 200;

type PreviousDocument = Extract<PageTree, { type: 'document' }>;

export type PageMatcher = {
  /** The id of an imported page, and the page that had it before. */
  matchOf(page: ImportedPage): { id: string; previous?: PageTree };
  /** Id of the page that stands for a file of the repository. */
  idOfPath(path: string): string | undefined;
};

/** Finds for each imported page the page that it was before: its id stays, so that links and comments stay on it. */
export async function matchPages(
  pages: readonly ImportedPage[],
  {
    previous,
    documentOf,
    textOf,
  }: { previous: readonly PageTree[]; documentOf(oid: string): string; textOf(documents: string[]): Promise<Map<string, string>> },
): Promise<PageMatcher> {
  const imported = flattenImported(pages);
  const matches = new Map<ImportedPage, PageTree>();
  const left = new Set(flattenPrevious(previous));

  const match = (page: ImportedPage, before: PageTree | undefined) => {
    if (!before || !left.has(before)) return;
    left.delete(before);
    matches.set(page, before);
  };

  const byPath = new Map([...left].flatMap((page) => (page.type === 'document' && page.git ? [[page.git.path, page] as const] : [])));
  for (const page of imported) if (page.type === 'document' && page.git) match(page, byPath.get(page.git.path));

  const unmatched = () =>
    imported.filter((page): page is ImportedDocument => page.type === 'document' && page.git !== undefined && !matches.has(page));
  const leftDocuments = () => [...left].filter((page): page is PreviousDocument => page.type === 'document' && page.git !== undefined);
  const byBlob = Map.groupBy(leftDocuments(), (page) => page.document);
  for (const page of unmatched()) match(page, byBlob.get(documentOf((page.git as { oid: string }).oid))?.shift());

  await matchSimilar(unmatched(), leftDocuments(), { documentOf, textOf, match });

  // Pages without a file are told by what they say of themselves.
  const bySelf = Map.groupBy(left, (page) => describe(page));
  for (const page of imported)
    if (!matches.has(page) && !(page.type === 'document' && page.git)) match(page, bySelf.get(describe(page))?.shift());

  const ids = new Map(imported.map((page) => [page, matches.get(page)?.id ?? newId()]));
  const idsByPath = new Map(
    imported.flatMap((page) => (page.type === 'document' && page.git ? [[page.git.path, ids.get(page)] as const] : [])),
  );
  return {
    matchOf: (page) => {
      const before = matches.get(page);
      return { id: ids.get(page) as string, ...(before && { previous: before }) };
    },
    idOfPath: (path) => idsByPath.get(path),
  };
}

type Matching = {
  documentOf(oid: string): string;
  textOf(documents: string[]): Promise<Map<string, string>>;
  match(page: ImportedPage, before: PageTree): void;
};

async function matchSimilar(pages: ImportedDocument[], gone: PreviousDocument[], { documentOf, textOf, match }: Matching): Promise<void> {
  if (pages.length === 0 || gone.length === 0 || pages.length > maxCompared || gone.length > maxCompared) return;
  const documentOfPage = (page: ImportedDocument) => documentOf((page.git as { oid: string }).oid);
  const texts = await textOf([...pages.map(documentOfPage), ...gone.flatMap((page) => page.document ?? [])]);
  const pairs = pages.flatMap((page) =>
    gone.map((before) => ({
      page,
      before,
      score: similarity(texts.get(documentOfPage(page)) ?? '', texts.get(before.document ?? '') ?? ''),
    })),
  );
  // The best pair first; `match` passes over pages that an earlier pair has taken.
  const taken = new Set<ImportedDocument>();
  for (const { page, before } of pairs.filter(({ score }) => score >= similarEnough).toSorted((a, b) => b.score - a.score)) {
    if (taken.has(page)) continue;
    match(page, before);
    taken.add(page);
  }
}

function describe(page: ImportedPage | PageTree): string {
  // Not by the target: before it is stored it names a path, afterwards an id.
  if (page.type === 'link') return `link ${page.title}`;
  if (page.type === 'computed') return `computed ${page.title} ${JSON.stringify(page.computed.dependencies)}`;
  return `${page.type} ${page.path}`;
}

function flattenImported(pages: readonly ImportedPage[]): ImportedPage[] {
  return pages.flatMap((page) => ('pages' in page ? [page, ...flattenImported(page.pages)] : [page]));
}

function flattenPrevious(pages: readonly PageTree[]): PageTree[] {
  return pages.flatMap((page) => ('pages' in page ? [page, ...flattenPrevious(page.pages)] : [page]));
}
