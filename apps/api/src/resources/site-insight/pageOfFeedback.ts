import { loadPageIndex, type PageIndex } from '@bindery/content';
import type { SitePageFeedback } from '@bindery/contract';
import {
  feedbackMonth,
  PageFeedback,
  Space,
  type PageFeedbackRecord,
  type SpaceRecord,
} from '@bindery/models';
import { loadSiteTree } from '@bindery/publishing';
import { cutPage, type Page, type PageQuery } from '../../http/answer/paging.ts';
import { readableBy } from '../../permissions/access.ts';
import { maxListMs } from '../../records/countOf.ts';
import { afterCursor, cursorOf, type Order } from '../../records/findPage.ts';
import { loadMainRevisions } from '../../records/mainRevisions.ts';
import type { SiteReader } from '../site/siteView.ts';

type PageSum = Omit<PageFeedbackRecord, '_id' | 'site' | 'month' | 'expireAt'>;

/** The pages that most readers found bad come first. */
const order: Order = [
  ['bad', -1],
  ['ok', -1],
  ['siteSpace', 1],
  ['page', 1],
];

/**
 * The sums of the ratings of each page of a site. They are computed anew for each page of the list: there are
 * at most 24 records for a page.
 */
export async function pageOfFeedback(
  reader: SiteReader,
  { months, limit, after }: { months: number } & PageQuery,
): Promise<Page<SitePageFeedback>> {
  const sums = [
    { $match: { site: reader.site._id, month: { $gte: feedbackMonth(new Date(), months - 1) } } },
    {
      $group: {
        _id: { siteSpace: '$siteSpace', page: '$page' },
        ...{ bad: { $sum: '$bad' }, ok: { $sum: '$ok' }, good: { $sum: '$good' } },
      },
    },
  ];
  const [rows, [counted]] = await Promise.all([
    PageFeedback.aggregate<PageSum>([
      ...sums,
      { $project: { _id: 0, siteSpace: '$_id.siteSpace', page: '$_id.page', bad: 1, ok: 1, good: 1 } },
      ...(after ? [{ $match: afterCursor(order, after) }] : []),
      { $sort: Object.fromEntries(order) },
      { $limit: limit + 1 },
    ]).option({ maxTimeMS: maxListMs }),
    PageFeedback.aggregate<{ count: number }>([...sums, { $count: 'count' }]).option({
      maxTimeMS: maxListMs,
    }),
  ]);
  const { items, next } = cutPage(rows, limit, (row) => cursorOf(order, row));
  return { items: await withTitles(items, reader), count: counted?.count ?? 0, next };
}

/** Adds titles and paths where the page is still there, and the caller may read its space. */
async function withTitles(
  sums: readonly PageSum[],
  { site, member }: SiteReader,
): Promise<SitePageFeedback[]> {
  const { siteSpaces } = await loadSiteTree(site._id);
  const spaceOf = new Map(siteSpaces.map(({ _id, space }) => [_id, space]));
  const pagesOf = await loadReadablePages(
    sums.flatMap(({ siteSpace }) => spaceOf.get(siteSpace) ?? []),
    member,
  );
  return sums.map(({ siteSpace, page: id, bad, ok, good }) => {
    const page = pagesOf.get(spaceOf.get(siteSpace) ?? '')?.byId.get(id)?.page;
    const path = page && 'path' in page ? page.path : undefined;
    return { object: 'site-page-feedback', siteSpace, page: id, title: page?.title, path, bad, ok, good };
  });
}

/** The pages of those of these spaces that a member may read, by space. */
async function loadReadablePages(
  ids: readonly string[],
  member: SiteReader['member'],
): Promise<Map<string, PageIndex>> {
  const found = await Space.find(
    { _id: { $in: [...new Set(ids)] }, isDeleted: false },
    { revision: 1, access: 1 },
  ).lean<Pick<SpaceRecord, '_id' | 'revision' | 'access'>[]>();
  const revisions = await loadMainRevisions(member ? found.filter(readableBy(member)) : []);
  const loading = Array.from(
    revisions,
    async ([space, { organization, pages }]) => [space, await loadPageIndex(organization, pages)] as const,
  );
  return new Map(await Promise.all(loading));
}
