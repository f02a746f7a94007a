import type { FoundPage, PageTree } from '@bindery/content';
import type { ContentReference } from '@bindery/dialect/links';
import { decoded, pathOf, siteSpacePath, type Visit } from '@bindery/publishing';
import type { SiteContent } from './siteContent.ts';

/** Where the parts of a site are, as paths of its host. */
export type SitePaths = {
  site: string;
  /** Of the site space that is read. */
  own: string;
  /** Of a site space; undefined when the visitor does not see it. */
  siteSpace: (id: string) => string | undefined;
  /** Of the first site space with this space, which links to the space lead to. */
  space: (id: string) => string | undefined;
};

export function sitePaths({ site, tree, siteBase, siteSpace: own }: Visit): SitePaths {
  const base = siteBase.length === 0 ? '' : pathOf(siteBase);
  const paths = new Map(
    tree.siteSpaces.map((siteSpace) => [
      siteSpace._id,
      base + siteSpacePath({ site, sections: tree.sections, siteSpace }) || '/',
    ]),
  );
  const bySpace = new Map(
    tree.siteSpaces.toReversed().map(({ _id, space }) => [space, paths.get(_id) as string]),
  );
  return {
    site: base || '/',
    own: paths.get(own._id) as string,
    siteSpace: (id) => paths.get(id),
    space: (id) => bySpace.get(id),
  };
}

export type DocumentPage = Extract<PageTree, { type: 'document' }>;

/** Whether a page is one with text that the navigation shows: neither it nor a page above is hidden. */
export function isInNavigation(found: FoundPage): found is FoundPage & { page: DocumentPage } {
  const { page, ancestors } = found;
  return page.type === 'document' && ![...ancestors, page].some((each) => 'hidden' in each && each.hidden);
}

/** The path of a visit up to that of its page. It may name defaults, which `own` does not. */
export function writtenBase({ base }: Pick<Visit, 'base'>): string {
  return pathOf(base.map((segment) => encodeURIComponent(decoded(segment))));
}

/** A path below another one. */
export function below(base: string, path: string): string {
  return base.endsWith('/') ? base + path : `${base}/${path}`;
}

/** The path of a page in a space whose pages begin at `base`; the landing page has that path itself. */
export function pagePath(page: PageTree, { base, pages }: { base: string; pages: SiteContent['pages'] }) {
  if (!('path' in page)) return undefined;
  const isLanding = pages.byPath.get('')?.page.id === page.id;
  return isLanding ? base : below(base, encodedPath(page.path));
}

/** The path of the Markdown of a page: below its space also for the landing page. */
export function markdownPath(
  page: PageTree,
  { base, pages }: { base: string; pages: SiteContent['pages'] },
): string {
  const own = pagePath(page, { base, pages }) ?? base;
  if (own !== base) return `${own}.md`;
  return below(base, `${'path' in page ? encodedPath(page.path) : 'index'}.md`);
}

/** The path of a page as it stands in a URL. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** The fragment of a reference to an anchor. */
export function fragmentOf(ref: ContentReference): string {
  return ref.kind === 'anchor' && ref.anchor !== undefined ? `#${encodeURIComponent(ref.anchor)}` : '';
}
