import { expandComputed, indexPages, type PageTree } from '@bindery/content';
import type { SiteContent, SpecPages } from './siteContent.ts';
import { findSpecsSeen, openSpecs, type SpecReading } from './pageSpecs.ts';

/** Further pages of a specification have no place in the navigation. */
const mostPages = 2_000;

/** By the tree that was expanded, for the versions of its specifications that were seen last. */
const expanded = new WeakMap<readonly PageTree[], SiteContent & { specPages: SpecPages }>();

/** Replaces computed pages by the pages of the specifications, as far as the visitor may read these. */
export async function withSpecPages(content: SiteContent, reading: SpecReading): Promise<SiteContent> {
  const { pages, revision } = content;
  const names = namesIn(pages);
  if (names.length === 0) return content;
  const seen = await findSpecsSeen(names, reading);
  const known = expanded.get(pages.tree);
  if (known?.specPages.versions === seen.text) return { ...known, revision };
  const { documents, isWhole, ...tree } = await expandComputed(pages.tree, {
    specs: await openSpecs(seen, reading),
    organization: revision.organization,
    hasPath: (path) => pages.byPath.has(path),
    mostPages,
  });
  const index = indexPages(tree.pages);
  // Links from elsewhere know only the stored pages, and the landing page has the address of its space.
  const landing = pages.byPath.get('') ?? index.byPath.get('');
  const byPath = landing ? new Map([...index.byPath, ['', landing]]) : index.byPath;
  const found = {
    revision,
    pages: { ...index, byPath, isWhole: pages.isWhole },
    specPages: { documents, isWhole, versions: seen.text },
  };
  if (isWhole) expanded.set(pages.tree, found);
  return found;
}

const named = new WeakMap<readonly PageTree[], readonly string[]>();

/** The names of the specifications whose pages a content has; a tree never changes. */
function namesIn({ tree, byId }: SiteContent['pages']): readonly string[] {
  const names = named.get(tree) ?? [...new Set(byId.values().flatMap(({ page }) => specOf(page)))];
  named.set(tree, names);
  return names;
}

function specOf(page: PageTree): string[] {
  if (page.type !== 'computed' || page.computed.type !== 'builtin:openapi') return [];
  return [page.computed.dependencies.spec.ref.spec];
}
