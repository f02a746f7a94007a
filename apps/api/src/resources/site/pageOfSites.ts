import type { Site } from '@bindery/contract';
import {
  Site as SiteModel,
  SiteSpace,
  type MemberRecord,
  type OrganizationRecord,
  type SiteRecord,
} from '@bindery/models';
import { compareCursors } from '@bindery/publishing';
import { compact } from '@bindery/runtime';
import { cutPage, type Page, type PageQuery } from '../../http/answer/paging.ts';
import { roleInSite, visibleTo } from '../../permissions/access.ts';
import type { Links } from '../../presenters/links.ts';
import { containsText } from '../../records/containsText.ts';
import { findPage, newestFirst, cursorOf } from '../../records/findPage.ts';
import { presentSite } from './site.presenter.ts';

export type SiteFilters = {
  space?: string | undefined;
  title?: string | undefined;
  published?: boolean | undefined;
  type?: SiteRecord['type'][] | undefined;
};

/** The sites of an organization that the member may see and that match all filters, newest first. */
export async function pageOfSites(
  { links, organization, member }: { links: Links; organization: OrganizationRecord; member: MemberRecord },
  { space, title, published, type, ...query }: SiteFilters & PageQuery,
): Promise<Page<Site>> {
  const filter = {
    organization: organization._id,
    ...visibleTo(member),
    ...compact({
      title: title === undefined ? undefined : containsText(title),
      isPublished: published,
      type: type && { $in: type },
    }),
  };
  const { rows, ...page } =
    space === undefined
      ? await findPage<SiteRecord>(SiteModel, filter, query)
      : await pageOfHolders(space, filter, query);
  return {
    ...page,
    items: rows.map((site) =>
      presentSite(site, { links, role: roleInSite({ member, access: site.access }), organization }),
    ),
  };
}

/** A space is on few sites, and no index orders them: reads all of them and cuts a page. */
async function pageOfHolders(space: string, filter: object, { limit, after }: PageQuery) {
  const ids = await SiteSpace.distinct('site', { space });
  const sites = await SiteModel.find({ ...filter, _id: { $in: ids } }).lean<SiteRecord[]>();
  const positioned = sites
    .map((site) => ({ site, cursor: cursorOf(newestFirst, site) }))
    .toSorted((a, b) => compareCursors(b.cursor, a.cursor));
  const later = after ? positioned.filter(({ cursor }) => compareCursors(cursor, after) < 0) : positioned;
  const { items, ...page } = cutPage(later, limit, ({ cursor }) => cursor);
  return { rows: items.map(({ site }) => site), count: sites.length, ...page };
}
