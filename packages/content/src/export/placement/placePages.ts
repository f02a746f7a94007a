import {
  assignPaths,
  type PlannedPage,
  plannedPages,
  folderOf,
  isInside,
  isMarkdown,
  join,
  nameOf,
  pagePathOfFile,
  readmeName,
  slugOfFile,
  collectWarnings,
} from '@bindery/dialect/repository-format';
import type { DocumentPage, PageTree } from '../../store/items.ts';
import type { LocatedPage } from '../../tree/pageLookup.ts';
import type { SourceLayout } from './sourceLayout.ts';
import type { TargetLayout } from '../readTarget.ts';
import { safeStem } from './safeNames.ts';

/** The candidates for the path of a page's file: the first free one of `wanted`, otherwise a numbered one. */
export type PageWish = {
  id: string;
  /** The current path, if the file stays. */
  kept?: string;
  wanted: readonly string[];
  numbered: (number: number) => string;
};

/**
 * Determines for each page with a document whether its file stays or moves.
 *
 * A file stays while an import would give its page the slug that the page has, and the page keeps its
 * position in the tree. Otherwise its path follows from the page's path: `x.md`, or `x/README.md` with pages
 * below it. A page that gains pages below it moves to its folder's README if that is free; one that loses
 * them stays.
 */
export function wishesOfPages(
  now: SourceLayout,
  before: SourceLayout | undefined,
  target: TargetLayout,
): PageWish[] {
  const landing = target.readme ?? join(target.root, 'README.md');
  const candidates = new Map<string, string>();
  for (const page of now.written) {
    const candidate = candidateOf(page, { now, before, target, landing });
    if (candidate !== undefined) candidates.set(page.id, candidate);
  }
  const formsOf = ({ id, path }: DocumentPage) => {
    // Where the README of the root is another page's, that of a folder gives the same slug.
    if (path === 'readme') return [join(target.root, readmeName), join(target.root, `readme/${readmeName}`)];
    const stem = join(target.root, safeStem(path));
    const forms = [`${stem}.md`, `${stem}/README.md`];
    return now.tree.list(id).length > 0 ? forms.toReversed() : forms;
  };
  dropWrong(candidates, now, {
    target,
    landing,
    fileOf: (page) => candidates.get(page.id) ?? (formsOf(page)[0] as string),
  });

  const hadPages = pagesBelowBefore(before, target);
  return now.written.map((page) => {
    const { id } = page;
    const hasPages = now.tree.list(id).length > 0;
    const kept = candidates.get(id);
    const stem = join(target.root, safeStem(page.path));
    const numbered = (number: number) => (hasPages ? `${stem}-${number}/README.md` : `${stem}-${number}.md`);
    const isFile = kept !== undefined && nameOf(kept) !== readmeName;
    if (kept !== undefined && isFile && hasPages && hadPages(id, kept) === false)
      return {
        id,
        wanted: [kept.replace(/\.(?:md|markdown)$/i, '/README.md'), kept, ...formsOf(page)],
        numbered,
      };
    return { id, kept, wanted: formsOf(page), numbered };
  });
}

type Placing = { now: SourceLayout; before: SourceLayout | undefined; target: TargetLayout; landing: string };

/** The path where the page's file may stay, if any. */
function candidateOf(page: DocumentPage, { now, before, target, landing }: Placing): string | undefined {
  const { id, slug, git } = page;
  const known = before?.tree.page(id);
  const knownFile = known?.page.type === 'document' ? known.page.git?.path : undefined;
  const { root } = target;
  return [knownFile, git?.path, git && now.rebased(git.path)].find((path) => {
    if (
      path === undefined ||
      path === root ||
      !isInside(path, root) ||
      !isMarkdown(path) ||
      path === target.summaryPath
    )
      return false;
    const given = slugOfFile(path, root);
    // A page whose preferred slug was taken has a number at the end of its slug.
    if (slug !== given && !(slug.startsWith(`${given}-`) && /^\d+$/.test(slug.slice(given.length + 1))))
      return false;
    const filePath = pagePathOfFile(path, { root, landing });
    return (
      path !== knownFile || !known || filePath === page.path || !hasMoved(page, known, { now, filePath })
    );
  });
}

/**
 * Tells whether a page's file moves with the page: its parent differs, or an ancestor moved and the file had
 * followed the tree.
 */
function hasMoved(
  { id, path }: DocumentPage,
  known: LocatedPage,
  { now, filePath }: { now: SourceLayout; filePath: string },
): boolean {
  if (now.tree.page(id)?.parent?.id !== known.parent?.id) return true;
  const before = 'path' in known.page ? known.page.path : path;
  return folderOf(before) !== folderOf(path) && filePath === before;
}

/**
 * Drops candidates whose slugs no longer match: the slugs of an import depend on each other, so moving or
 * removing one page can change another's.
 */
function dropWrong(
  candidates: Map<string, string>,
  now: SourceLayout,
  { target, landing, fileOf }: { target: TargetLayout; landing: string; fileOf(page: DocumentPage): string },
): void {
  for (let isSettled = false; !isSettled;) {
    const pages = new Map<PlannedPage, DocumentPage>();
    const planned = planOf(now.content.pages, (page, plan) => {
      pages.set(plan, page);
      return fileOf(page);
    });
    const paths = assignPaths(planned, { root: target.root, landing, warnings: collectWarnings(0) });
    isSettled = true;
    for (const plan of plannedPages(planned)) {
      const page = pages.get(plan);
      if (page && paths.get(plan)?.slug !== page.slug && candidates.delete(page.id)) isSettled = false;
    }
  }
}

function planOf(
  pages: readonly PageTree[],
  fileOf: (page: DocumentPage, plan: PlannedPage) => string,
): PlannedPage[] {
  return pages.flatMap((page): PlannedPage[] => {
    if (page.type === 'link' || page.type === 'computed') return [];
    const children = planOf(page.pages, fileOf);
    if (page.type === 'group') return [{ kind: 'group', title: page.title, children }];
    if (page.document === undefined) return [{ kind: 'empty', title: page.title, children }];
    const plan: PlannedPage = { kind: 'file', entry: { path: '', oid: '', mode: '' }, children };
    plan.entry.path = fileOf(page, plan);
    return [plan];
  });
}

/** Tells whether a page had pages below it; undefined for a new page. */
function pagesBelowBefore(
  before: SourceLayout | undefined,
  { navigation }: TargetLayout,
): (id: string, file: string) => boolean | undefined {
  if (before) return (id) => (before.tree.page(id) ? before.tree.list(id).length > 0 : undefined);
  const files = new Map<string, boolean>();
  for (const page of plannedPages(navigation()))
    if (page.kind === 'file') files.set(page.entry.path, page.children.length > 0);
  return (_id, file) => files.get(file);
}
