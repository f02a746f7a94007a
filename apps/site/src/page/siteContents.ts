import type { SiteSpaceRecord } from '@bindery/models';
import type { SpecVersions } from '../answer/keptAnswers.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { findSpecsSeen } from './pageSpecs.ts';
import { loadSiteContent, type SiteContent } from './siteContent.ts';
import type { SitePaths } from './sitePaths.ts';
import { specNamesIn, withSpecPages } from './specPages.ts';

/** Where the texts about a whole site are written. */
export type SitePlace = { paths: SitePaths; platform: SitePlatform };

/** The contents of further site spaces are left out, as in a sitemap. */
const maxPages = 50_000;

/** A site space with its content. `base`: its path. */
export type PlacedContent = { siteSpace: SiteSpaceRecord; base: string; content: SiteContent };

/**
 * The contents of a site that its visitor sees, in order. `specs`: the versions of the specifications whose
 * pages are there. `isWhole`: false when one took too long to read.
 */
export type SiteContents = {
  placed: readonly PlacedContent[];
  specs: SpecVersions;
  isWhole: boolean;
};

/** Loads the contents of a site with the pages of the first 20 specifications that they name. */
export async function loadSiteContents(
  open: OpenVisit,
  { paths, platform }: SitePlace,
): Promise<SiteContents> {
  const stored: PlacedContent[] = [];
  let pages = 0;
  for (const siteSpace of open.visit.tree.siteSpaces) {
    const base = paths.siteSpace(siteSpace._id);
    const content = await loadSiteContent(siteSpace.space, open);
    if (base === undefined || !content) continue;
    stored.push({ siteSpace, base, content });
    if ((pages += content.pages.byId.size) >= maxPages) break;
  }
  const names = [...new Set(stored.flatMap(({ content }) => specNamesIn(content.pages)))];
  if (names.length === 0) return { placed: stored, specs: new Map(), isWhole: true };
  const reading = { ...open, platform };
  const seen = await findSpecsSeen(names, reading);
  const placed: PlacedContent[] = [];
  for (const place of stored)
    placed.push({ ...place, content: await withSpecPages(place.content, reading, seen) });
  return {
    placed,
    specs: seen.versions,
    isWhole: placed.every(({ content }) => content.specPages?.isWhole !== false),
  };
}
