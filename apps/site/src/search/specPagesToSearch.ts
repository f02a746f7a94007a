import { findRevision, loadPageIndex, prepareComputed, type ComputedPages } from '@bindery/content';
import { LRUCache } from 'lru-cache';
import { findSpecsSeen } from '../page/pageSpecs.ts';
import { loadSiteContent, type SiteContent } from '../page/siteContent.ts';
import { specNamesIn, withSpecPages } from '../page/specPages.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

/** By everything that they depend on. The limit applies to the number of their words. */
const prepared = new LRUCache<string, ComputedPages>({
  maxSize: 500_000,
  sizeCalculation: ({ size }) => 10 + size,
});

/** The contents that have pages of specifications, and these pages, prepared for searches; by their space. */
export type SpecPagesToSearch = {
  contents: ReadonlyMap<string, SiteContent>;
  computed: ReadonlyMap<string, ComputedPages>;
};

/** Finds the pages of specifications that a visitor sees: of the first 20 that the spaces of a site name. */
export async function loadSpecPagesToSearch(
  open: OpenVisit,
  platform: SitePlatform,
): Promise<SpecPagesToSearch> {
  const stored: SiteContent[] = [];
  for (const space of new Set(open.visit.tree.siteSpaces.map((siteSpace) => siteSpace.space))) {
    const content = (await hasSpecPages(space, open)) ? await loadSiteContent(space, open) : undefined;
    if (content) stored.push(content);
  }
  const [contents, computed] = [new Map<string, SiteContent>(), new Map<string, ComputedPages>()];
  const names = [...new Set(stored.flatMap(({ pages }) => specNamesIn(pages)))];
  if (names.length === 0) return { contents, computed };
  const reading = { ...open, platform };
  const seen = await findSpecsSeen(names, reading);
  for (const content of stored) {
    const expanded = await withSpecPages(content, reading, seen);
    contents.set(content.revision.space, expanded);
    computed.set(content.revision.space, await prepare(expanded));
  }
  return { contents, computed };
}

async function prepare({ revision, pages, specPages }: SiteContent): Promise<ComputedPages> {
  const sections = specPages?.sections ?? new Map<string, never>();
  const key = JSON.stringify([revision._id, specPages?.versions, specPages?.holders]);
  const known = prepared.get(key);
  if (known) return known;
  const toSearch = pages.byId.values().flatMap((found) => {
    const own = sections.get(found.page.id);
    return own ? [{ ...found, sections: own() }] : [];
  });
  const made = await prepareComputed(revision.space, toSearch);
  if (specPages?.isWhole !== false) prepared.set(key, made);
  return made;
}

/** Whether a content has pages of specifications, by its revision, whose pages never change. */
const known = new LRUCache<string, boolean>({ max: 10_000 });

async function hasSpecPages(space: string, { visit }: Pick<OpenVisit, 'visit'>): Promise<boolean> {
  const id = visit.spaces.get(space)?.revision ?? '';
  const before = known.get(id);
  if (before !== undefined) return before;
  const revision = await findRevision(space, id);
  const has =
    revision !== undefined &&
    specNamesIn(await loadPageIndex(revision.organization, revision.pages)).length > 0;
  known.set(id, has);
  return has;
}
