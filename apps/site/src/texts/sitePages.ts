import type { PageTree } from '@bindery/content';
import type { SiteSpaceRecord } from '@bindery/models';
import { loadSiteContent, type SiteContent } from '../page/siteContent.ts';
import { markdownPath, pagePath, type SitePaths } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

/** A page that the navigation of a site has, with its addresses. */
export type SitePage = {
  siteSpace: SiteSpaceRecord;
  content: SiteContent;
  page: Extract<PageTree, { type: 'document' }>;
  url: string;
  markdownUrl: string;
};

/** The pages that a visitor sees in the navigation of a site, in reading order. */
export async function* sitePages(open: OpenVisit, paths: SitePaths): AsyncGenerator<SitePage> {
  const { visit } = open;
  const origin = originOf(open);
  for (const siteSpace of visit.tree.siteSpaces) {
    const base = paths.siteSpace(siteSpace._id);
    const content = await loadSiteContent(siteSpace.space, open);
    if (base === undefined || !content) continue;
    for (const { page, ancestors } of content.pages.byId.values()) {
      if (page.type !== 'document' || [...ancestors, page].some((each) => 'hidden' in each && each.hidden))
        continue;
      const path = pagePath(page, { base, pages: content.pages });
      if (path === undefined) continue;
      const markdownUrl = origin + markdownPath(page, { base, pages: content.pages });
      yield { siteSpace, content, page, url: origin + path, markdownUrl };
    }
  }
}

/** The origin of the canonical address of a site. */
export function originOf({ visit }: Pick<OpenVisit, 'visit'>): string {
  return new URL(visit.canonicalUrl).origin;
}
