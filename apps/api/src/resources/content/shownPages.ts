import { indexPages, isConditionMet, loadPageIndex, type PageIndex, type PageTree, type VisitorClaims } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import type { Reader } from '../../http/actor.ts';

/** By tree and claims; the pages of all indexes together are what is bounded. */
const indexes = new LRUCache<string, PageIndex>({ maxSize: 100_000, sizeCalculation: (index) => 1 + index.byId.size });

/** Whether anything in a tree depends on who reads it, worked out once for each tree. */
const adaptive = new WeakMap<PageIndex, boolean>();

/** The pages of a revision as somebody sees them: visitors see none whose condition they do not meet, nor what is below it; members see all. */
export async function loadShownPages({ organization, pages }: RevisionRecord, { visitor }: Reader): Promise<PageIndex> {
  const index = await loadPageIndex(organization, pages);
  if (!visitor || !isAdaptive(index)) return index;
  const key = `${organization} ${pages} ${JSON.stringify(visitor.claims)}`;
  const known = indexes.get(key);
  if (known) return known;
  const shown = indexPages(shownTo(visitor.claims, index.tree));
  indexes.set(key, shown);
  return shown;
}

function isAdaptive(index: PageIndex): boolean {
  const known = adaptive.get(index) ?? index.byId.values().some(({ page }) => conditionOf(page) !== undefined);
  adaptive.set(index, known);
  return known;
}

function shownTo(claims: VisitorClaims, pages: readonly PageTree[]): PageTree[] {
  return pages
    .filter((page) => isConditionMet(conditionOf(page) ?? 'true', claims))
    .map((page) => ('pages' in page ? { ...page, pages: shownTo(claims, page.pages) } : page));
}

function conditionOf(page: PageTree): string | undefined {
  return page.type === 'document' ? page.condition : undefined;
}
