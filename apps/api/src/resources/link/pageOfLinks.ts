import { loadRevision, openTree, type PageItem } from '@bindery/content';
import type { Link, LinkStats, LinkStatus } from '@bindery/contract';
import { withinTime } from '@bindery/publishing';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { cutByKey } from './cutByKey.ts';
import { judgedLinks } from './judgedLinks.ts';
import type { JudgedLink } from './specLinks.ts';
import { type LinkedContent, type LinkViewer } from './link.scope.ts';
import { createLocations } from './locations.ts';

type Asked = PageQuery & { page?: PageItem; status?: LinkStatus | undefined };

/**
 * The targets of the links of content, or of one page in it: each target once, in the order of first
 * occurrence.
 */
export async function pageOfLinks(
  viewer: LinkViewer,
  linked: LinkedContent,
  asked: Asked,
): Promise<Page<Link> & { stats: LinkStats }> {
  return withinTime(async (signal) => {
    const { links, seen, named } = await judgedLinks(viewer, linked, { page: asked.page, signal });
    const stats = await statsOf(links, viewer, linked, asked.page, signal);
    const listed = asked.status === undefined ? links : links.filter(({ status }) => status === asked.status);
    const { items, next } = cutByKey(listed, asked, ({ key }) => key);
    const locations = await createLocations(viewer, linked, seen);
    return {
      count: listed.length,
      next,
      stats,
      items: items.map((link) => ({
        status: link.status,
        relation: link.dependsOn ? ('dependsOn' as const) : ('reference' as const),
        targetReference: locations.ofTarget(link, named),
        locationReferences: link.places.map((place) => locations.ofPlace(viewer.space._id, place)),
      })),
    };
  });
}

async function statsOf(
  links: readonly JudgedLink[],
  viewer: LinkViewer,
  { changeRequest }: LinkedContent,
  page: PageItem | undefined,
  signal: AbortSignal,
): Promise<LinkStats> {
  const broken = brokenIn(links);
  if (!changeRequest) return { total: links.length, broken: { total: broken.length } };
  const main = await loadRevision(viewer.space._id, viewer.space.revision);
  const mainPage = page && (await openTree(main.organization, main.pages)).page(page.id)?.page;
  // A new page has no links in the main content.
  const before =
    page && !mainPage
      ? []
      : (await judgedLinks(viewer, { revision: main }, { page: mainPage, signal })).links;
  const known = new Set(brokenIn(before).map(({ key }) => key));
  return {
    total: links.length,
    broken: { total: broken.length, changeRequest: broken.filter(({ key }) => !known.has(key)).length },
  };
}

function brokenIn(links: readonly JudgedLink[]): JudgedLink[] {
  return links.filter(({ status }) => status === 'broken');
}
