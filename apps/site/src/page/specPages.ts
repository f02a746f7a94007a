import { expandComputed, indexPages, type PageIndex, type PageTree } from '@bindery/content';
import { LRUCache } from 'lru-cache';
import type { SiteContent, SpecPages } from './siteContent.ts';
import { findSpecsSeen, openSpecs, seenAmong, type SpecReading, type SpecsSeen } from './pageSpecs.ts';

/** Further pages of a specification have no place in the navigation. */
const mostPages = 2_000;

/**
 * By the tree that was expanded, for the versions of its specifications that were seen last. The limit
 * applies to the number of pages: visitors with other claims may have trees of their own.
 */
const expanded = new LRUCache<readonly PageTree[], SiteContent & { specPages: SpecPages }>({
  maxSize: 50_000,
  sizeCalculation: ({ pages }) => 1 + pages.byId.size,
});

/**
 * Replaces computed pages by the pages of the specifications, as far as the visitor may read these.
 *
 * @param given  the specifications that the visitor sees, if they were looked up
 */
export async function withSpecPages(
  content: SiteContent,
  reading: SpecReading,
  given?: SpecsSeen,
): Promise<SiteContent> {
  const { pages, revision } = content;
  const names = specNamesIn(pages);
  if (names.length === 0) return content;
  const seen = given ? seenAmong(names, given) : await findSpecsSeen(names, reading);
  const versions = JSON.stringify(Array.from(seen.versions));
  const known = expanded.get(pages.tree);
  if (known?.specPages.versions === versions) return { ...known, revision };
  const { pages: tree, ...specPages } = await expandComputed(pages.tree, {
    specs: await openSpecs(seen, reading),
    organization: revision.organization,
    hasPath: (path) => pages.byPath.has(path),
    mostPages,
  });
  const index = indexPages(tree);
  // Links from elsewhere know only the stored pages, and the landing page has the address of its space.
  const landing = pages.byPath.get('') ?? index.byPath.get('');
  const byPath = landing ? new Map([...index.byPath, ['', landing]]) : index.byPath;
  const found = {
    revision,
    pages: { ...index, byPath, isWhole: pages.isWhole },
    specPages: { ...specPages, versions, holders: holdersIn(pages).map(({ id }) => id) },
  };
  if (specPages.isWhole) expanded.set(pages.tree, found);
  return found;
}

type Holder = { id: string; spec: string };

const held = new WeakMap<readonly PageTree[], readonly Holder[]>();

/** The computed pages of specifications in a content; a tree never changes. */
function holdersIn({ tree, byId }: PageIndex): readonly Holder[] {
  const holders = held.get(tree) ?? [...byId.values().flatMap(({ page }) => holderOf(page))];
  held.set(tree, holders);
  return holders;
}

/** The names of the specifications whose pages a content has. */
export function specNamesIn(pages: PageIndex): readonly string[] {
  return [...new Set(holdersIn(pages).map(({ spec }) => spec))];
}

function holderOf(page: PageTree): Holder[] {
  if (page.type !== 'computed' || page.computed.type !== 'builtin:openapi') return [];
  return [{ id: page.id, spec: page.computed.dependencies.spec.ref.spec }];
}
