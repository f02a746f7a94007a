import { indexPages, loadPageIndex, type PageIndex, type PageTree } from '@bindery/content';
import { isConditionMet, outcomesOf, type VisitorClaims } from '@bindery/dialect';
import type { RevisionRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import type { ContentReader } from '../visitor/visitor.ts';
import { brokenReference } from './brokenReference.ts';

/** The pages that a reader sees; `isWhole` when it sees all. */
export type ShownPages = PageIndex & { isWhole: boolean };

/** Keyed by tree and outcomes of its conditions. The limit applies to the total number of pages. */
const indexes = new LRUCache<string, ShownPages>({
  maxSize: 100_000,
  sizeCalculation: (index) => 1 + index.byId.size,
});

/** The conditions of the pages of a tree; collected once per tree. */
const conditions = new WeakMap<PageIndex, ReadonlySet<string>>();

/**
 * The pages of a revision that a reader sees. Visitors do not see pages whose condition they do not meet, nor
 * pages below those; members see all.
 */
export async function loadShownPages(
  { organization, pages }: RevisionRecord,
  { visitor }: ContentReader,
): Promise<ShownPages> {
  const index = await loadPageIndex(organization, pages);
  const asked = conditionsOf(index);
  if (!visitor || asked.size === 0) return { ...index, isWhole: true };
  for (const condition of asked) visitor.questions?.conditions.add(condition);
  const key = `${organization} ${pages} ${outcomesOf({ conditions: asked }, { claims: visitor.claims })}`;
  const known = indexes.get(key);
  if (known) return known;
  const shown = {
    ...indexPages(withoutHiddenTargets(shownTo(visitor.claims, index.tree), index)),
    isWhole: false,
  };
  indexes.set(key, shown);
  return shown;
}

function conditionsOf(index: PageIndex): ReadonlySet<string> {
  const known =
    conditions.get(index) ??
    new Set(
      index.byId
        .values()
        .map(({ page }) => conditionOf(page))
        .filter((condition) => condition !== undefined),
    );
  conditions.set(index, known);
  return known;
}

function shownTo(claims: VisitorClaims, pages: readonly PageTree[]): PageTree[] {
  return pages
    .filter((page) => isConditionMet(conditionOf(page) ?? 'true', claims))
    .map((page) => ('pages' in page ? { ...page, pages: shownTo(claims, page.pages) } : page));
}

/** Turns links to hidden pages into broken links. */
function withoutHiddenTargets(pages: PageTree[], all: PageIndex): PageTree[] {
  const { byId } = indexPages(pages);
  const isHidden = ({ target }: Extract<PageTree, { type: 'link' }>) => {
    if (target.kind !== 'page' && target.kind !== 'anchor') return false;
    return (
      target.space === undefined &&
      target.page !== undefined &&
      all.byId.has(target.page) &&
      !byId.has(target.page)
    );
  };
  const visit = (page: PageTree): PageTree => {
    if ('pages' in page) return { ...page, pages: page.pages.map(visit) };
    return page.type === 'link' && isHidden(page)
      ? { ...page, target: { kind: 'url', url: brokenReference } }
      : page;
  };
  return pages.map(visit);
}

function conditionOf(page: PageTree): string | undefined {
  return page.type === 'document' ? page.condition : undefined;
}
