import { trimmedEnd } from '@bindery/contract';
import type { FoundPage } from '@bindery/content';
import type { SiteRedirectDestinationRecord } from '@bindery/models';
import { ownSiteUrl, sectionPath, siteSpacePath, siteUrl } from '../site/siteUrl.ts';
import { canonicalPath } from './redirectPath.ts';
import type { SiteContext } from './siteContext.ts';

/** The URL of a destination in a site; undefined when it is deleted or invisible to the reader. */
export async function targetUrl(
  destination: SiteRedirectDestinationRecord,
  context: SiteContext,
  { anchor }: { anchor?: string | undefined } = {},
): Promise<string | undefined> {
  if (destination.kind === 'external') return destination.url;
  const path = await pathOf(destination, context);
  if (path === undefined) return undefined;
  return (
    siteUrl(context.site, context) + path + (anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`)
  );
}

/** The path of a destination below the URL of the site. */
async function pathOf(
  destination: Exclude<SiteRedirectDestinationRecord, { kind: 'external' }>,
  context: SiteContext,
): Promise<string | undefined> {
  const { site, tree } = context;
  if (destination.kind === 'site-section') {
    const section = tree.sections.find(({ _id }) => _id === destination.siteSectionId);
    return section && sectionPath(site, section);
  }
  const siteSpace = tree.siteSpaces.find(({ _id }) => _id === destination.siteSpaceId);
  if (!siteSpace) return undefined;
  const base = siteSpacePath({ site, sections: tree.sections, siteSpace });
  if (destination.kind === 'site-space') return base;
  const content = await context.contentOf(siteSpace);
  const pages = await content?.pages();
  const found = pages?.byId.get(destination.pageId);
  if (!found || !context.isShown(found)) return undefined;
  if (isLanding(found, pages?.byPath.get(''))) return base;
  return 'path' in found.page ? base + canonicalPath(`/${found.page.path}`) : undefined;
}

/** The first page of a space is at the URL of the space itself. */
function isLanding({ page }: FoundPage, landing: FoundPage | undefined): boolean {
  return page.id === landing?.page.id;
}

/**
 * The base URLs of a site, including that of a host that is not proven yet, because its redirects are not
 * checked again later.
 */
export function basesOf({
  links,
  site,
  organization,
}: Pick<SiteContext, 'links' | 'site' | 'organization'>): string[] {
  const pending = site.pendingProxy === undefined ? [] : [`https://${site.pendingProxy}`];
  return [ownSiteUrl(site, { links, organization }), siteUrl(site, { links, organization }), ...pending];
}

/** The path of a URL below one of a site's own URLs; undefined when it leads away from the site. */
export function pathWithin(url: string, bases: readonly string[]): string | undefined {
  const { origin, pathname } = new URL(url);
  for (const base of bases.map((each) => new URL(each))) {
    const prefix = base.pathname.replace(/\/$/, '');
    if (origin === base.origin && `${pathname}/`.startsWith(`${prefix}/`))
      return canonicalPath(trimmedEnd(pathname.slice(prefix.length), '/'));
  }
  return undefined;
}

/** Appends the path that a wildcard matched to the path of a URL, and never leaves that path. */
export function withSuffix(url: string, suffix: string): string {
  const segments = suffix
    .split('/')
    .filter((segment) => segment !== '' && !/^(?:\.|%2e){1,2}$/i.test(segment));
  if (segments.length === 0) return url;
  const target = new URL(url);
  target.pathname = [target.pathname.replace(/\/$/, ''), ...segments].join('/');
  return target.href;
}
