import type { PlacedContent, SiteContents } from '../page/siteContents.ts';
import { isInNavigation, markdownPath, pagePath, type DocumentPage } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

/** A page that the navigation of a site has, with its addresses. */
export type SitePage = PlacedContent & { page: DocumentPage; url: string; markdownUrl: string };

/** The pages that a visitor sees in the navigation of a site, in reading order. */
export function* sitePages(open: OpenVisit, { placed }: SiteContents): Generator<SitePage> {
  const origin = originOf(open);
  for (const place of placed) {
    const { base, content } = place;
    for (const { page } of content.pages.byId.values().filter(isInNavigation)) {
      const path = pagePath(page, { base, pages: content.pages });
      if (path === undefined) continue;
      const markdownUrl = origin + markdownPath(page, { base, pages: content.pages });
      yield { ...place, page, url: origin + path, markdownUrl };
    }
  }
}

/** The origin of the canonical address of a site. */
export function originOf({ visit }: Pick<OpenVisit, 'visit'>): string {
  return new URL(visit.canonicalUrl).origin;
}
