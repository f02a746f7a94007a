import { assignPaths } from '../gitbook/assignPaths.ts';
import type { PlannedPage } from '../gitbook/pagePlan.ts';
import { plannedPages } from '../gitbook/pagePlan.ts';
import { isInside, isMarkdown, join, nameOf, pagePathOfFile } from '../gitbook/paths.ts';
import { collectWarnings } from '../gitbook/warnings.ts';
import type { DocumentPage, PageTree } from '../store/items.ts';
import type { OldPlaces } from './oldPlaces.ts';
import type { TargetLayout } from './readTarget.ts';
import { safeStem } from './safeNames.ts';

/** Where a page's file may go: the first of `wanted` that is free, else one with a number. */
export type PageWish = {
  id: string;
  /** Where its file is already, if it stays there. */
  kept?: string;
  wanted: readonly string[];
  numbered: (number: number) => string;
};

/**
 * Says for each page that has a document where its file stays, or goes.
 *
 * A file stays where an import would give its page the path that the page has. Otherwise it follows from the page's path: `x.md`, or
 * `x/README.md` with pages below it. A page that gains pages below it moves to its folder's README; one that loses them stays.
 */
export function wishesOfPages(now: OldPlaces, before: OldPlaces | undefined, target: TargetLayout): PageWish[] {
  const landing = target.readme ?? join(target.root, 'README.md');
  const candidates = new Map<string, string>();
  for (const page of now.written) {
    const candidate = candidateOf(page, { now, before, target, landing });
    if (candidate !== undefined) candidates.set(page.id, candidate);
  }
  const formsOf = ({ id, path }: DocumentPage) => {
    if (path === '') return [landing];
    const stem = join(target.root, safeStem(path));
    const forms = [`${stem}.md`, `${stem}/README.md`];
    return now.tree.list(id).length > 0 ? forms.toReversed() : forms;
  };
  dropWrong(candidates, now, { target, landing, fileOf: (page) => candidates.get(page.id) ?? (formsOf(page)[0] as string) });

  const hadPages = pagesBelowBefore(before, target);
  return now.written.map((page) => {
    const { id } = page;
    const hasPages = now.tree.list(id).length > 0;
    const kept = candidates.get(id);
    const stem = join(target.root, safeStem(page.path === '' ? 'README' : page.path));
    const numbered = (number: number) => (hasPages ? `${stem}-${number}/README.md` : `${stem}-${number}.md`);
    const isFile = kept !== undefined && page.path !== '' && nameOf(kept) !== 'README.md';
    if (kept !== undefined && isFile && hasPages && hadPages(id, kept) === false)
      return { id, wanted: [kept.replace(/\.(?:md|markdown)$/i, '/README.md'), kept], numbered };
    return { id, ...(kept !== undefined && { kept }), wanted: formsOf(page), numbered };
  });
}

type Placing = { now: OldPlaces; before: OldPlaces | undefined; target: TargetLayout; landing: string };

/** Where the page's file is, if an import may give it the page's path there. */
function candidateOf({ id, path: wanted, git }: DocumentPage, { now, before, target, landing }: Placing): string | undefined {
  const known = before?.tree.page(id)?.page;
  const places = [known?.type === 'document' ? known.git?.path : undefined, git?.path, git && now.rebased(git.path)];
  const { root } = target;
  return places.find((path) => {
    if (path === undefined || path === root || !isInside(path, root) || !isMarkdown(path) || path === target.summaryPath) return false;
    const given = pagePathOfFile(path, { root, landing });
    // The path of a page whose first choice was taken ends with a number.
    return wanted === given || (wanted.startsWith(`${given}-`) && /^\d+$/.test(wanted.slice(given.length + 1)));
  });
}

/** The paths that an import gives depend on each other: what another page's move or removal changes does not stay either. */
function dropWrong(
  candidates: Map<string, string>,
  now: OldPlaces,
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
      if (page && paths.get(plan) !== page.path && candidates.delete(page.id)) isSettled = false;
    }
  }
}

function planOf(pages: readonly PageTree[], fileOf: (page: DocumentPage, plan: PlannedPage) => string): PlannedPage[] {
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

/** Whether a page had pages below it; undefined for one that was not there. */
function pagesBelowBefore(before: OldPlaces | undefined, { navigation }: TargetLayout): (id: string, file: string) => boolean | undefined {
  if (before) return (id) => (before.tree.page(id) ? before.tree.list(id).length > 0 : undefined);
  const files = new Map<string, boolean>();
  for (const page of plannedPages(navigation())) if (page.kind === 'file') files.set(page.entry.path, page.children.length > 0);
  return (_id, file) => files.get(file);
}
