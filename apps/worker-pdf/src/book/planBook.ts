import { findVersions, indexPages, type PageTree, type ReadableSpecs } from '@bindery/content';
import { JobError } from '@bindery/contract';
import { idOfPage } from '@bindery/render';
import type { BlobStore } from '@bindery/storage';
import { findBookChanges, type ChangeList } from './changes/bookChanges.ts';
import { loadSpace, openContent, type BookContent } from './content/bookContent.ts';
import type { BookLinks } from './content/targets.ts';
import { pruneEntries, selectEntries, type BookEntry } from './plan/bookEntries.ts';
import { chaptersOf, type Chapter } from './plan/chapters.ts';
import { maxSheets } from './plan/limits.ts';
import type { PdfBook } from './pdfBook.ts';

/** Pages to print, and their content. Depends on the input and the content alone. */
export type BookPlan = {
  content: BookContent;
  entries: BookEntry[];
  chapters: Chapter[];
  /** Where links lead that name headings which the book does not have: to the beginning of their page. */
  anchors: Map<string, string>;
  links: BookLinks;
  /** For a book of changes. */
  changes?: ChangeList | undefined;
  earlier?: { content: BookContent; pageOf: (id: string) => PageTree | undefined } | undefined;
  /** A single page needs no cover and no contents. */
  hasFront: boolean;
};

/** @throws JobError for a space or a page that is gone, and for a book with too many pages */
export async function planBook(book: PdfBook, { blobs }: { blobs: BlobStore }): Promise<BookPlan> {
  const space = await loadSpace(book.spaceId);
  const specs = await openSpecs(book, { blobs, organization: space.organization });
  const content = await openContent(space, { ...book, specs });
  const selected = selectEntries(content.pages, book);
  if (book.page !== undefined && selected.length === 0)
    throw new JobError('not_found', 'The page is not in the revision.');
  const plan =
    book.changesFrom === undefined
      ? { entries: selected }
      : await planChanges(book, { space, content, changesFrom: book.changesFrom });
  const { entries } = plan;
  const chapters = chaptersOf(entries);
  if (chapters.length > maxSheets) throw tooManyPages(chapters.length);
  const printed = new Set(
    chapters.flatMap(({ groups, page }) => [...groups, ...(page ? [page] : [])]).map(({ page }) => page.id),
  );
  const anchors = new Map<string, string>();
  return {
    ...plan,
    content,
    chapters,
    anchors,
    links: {
      content,
      earlierFiles: plan.earlier?.content.files,
      spaceTitle: space.title,
      isPrinted: (page) => printed.has(page),
      onAnchor: ({ id, page }) => anchors.set(id, page),
    },
    hasFront: plan.changes !== undefined || chapters.length !== 1,
  };
}

/** The specifications that the book prints; one that is deleted meanwhile is only named. */
async function openSpecs(
  { specs = {} }: PdfBook,
  { blobs, organization }: { blobs: BlobStore; organization: string },
): Promise<ReadableSpecs> {
  const found = await findVersions(organization, Object.values(specs));
  const versions = Object.entries(specs).flatMap(([name, id]) => {
    const version = found.get(id);
    return version ? [[name, version] as const] : [];
  });
  return { versions: new Map(versions), blobs };
}

type Changed = Pick<BookPlan, 'entries' | 'changes' | 'earlier'>;

/**
 * The pages that a change request adds or changes, also hidden ones, behind them the reusable contents that
 * it changes: those are part of pages that stay as they are.
 */
async function planChanges(
  book: PdfBook,
  {
    space,
    content,
    changesFrom,
  }: { space: Parameters<typeof openContent>[0]; content: BookContent; changesFrom: string },
): Promise<Changed> {
  // Computed pages do not change with the content.
  const { specs } = content;
  const before = await openContent(space, { revision: changesFrom, appUrl: book.appUrl, specs });
  const { list, pages, reusableContents } = await findBookChanges(before, content);
  const { byId } = indexPages(before.pages);
  const isChanged = (page: string) => pages.has(page);
  const entries = pruneEntries(selectEntries(content.pages, { ...book, withHidden: true }), isChanged);
  const old = new Map<string, PageTree>();
  for (const { before: was, after } of book.page === undefined ? reusableContents : []) {
    const page = pageOfContent(after);
    entries.push({ id: idOfPage(page.id), title: page.title, page, children: [] });
    if (was) old.set(page.id, pageOfContent(was));
  }
  return {
    entries,
    changes: list,
    earlier: { content: before, pageOf: (id) => old.get(id) ?? byId.get(id)?.page },
  };
}

/** A reusable content as a page of the book. */
function pageOfContent({ id, title, document }: { id: string; title: string; document: string }): PageTree {
  const epoch = new Date(0).toISOString();
  return {
    type: 'document',
    id: `reusable-content-${id}`,
    title: `Reusable content: ${title}`,
    slug: '',
    path: title,
    createdAt: epoch,
    updatedAt: epoch,
    document,
    pages: [],
  };
}

function tooManyPages(count: number): JobError {
  return new JobError('limit', `The book would have ${count} pages; a PDF has at most ${maxSheets} sheets.`, {
    action: 'Print it in parts, with `page`.',
  });
}
