import type { ChangeRequestContributor } from '@bindery/contract';
import type { ChangeRequestRecord, ContributionRecord } from '@bindery/models';
import { cutPage, type Page, type PageQuery } from '../../http/answer/paging.ts';
import { showUsers, type Viewer } from '../user/showUsers.ts';
import { presentContributor } from './changeRequest.presenter.ts';

/**
 * The contributors of a change request, the latest first. Its record contains them, so a page needs no query.
 */
export async function pageOfContributors(
  { contributors }: ChangeRequestRecord,
  { limit, after }: PageQuery,
  viewer: Viewer,
): Promise<Page<ChangeRequestContributor>> {
  const keyOf = ({ updatedAt, user, actionType }: ContributionRecord) =>
    `${updatedAt.toISOString()} ${user} ${actionType}`;
  const sorted = contributors.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  const rest = after ? sorted.filter((contribution) => keyOf(contribution) < String(after[0])) : sorted;
  const { items, next } = cutPage(rest, limit, (contribution) => [keyOf(contribution)]);
  const userOf = await showUsers(
    items.map(({ user }) => user),
    viewer,
  );
  return {
    count: contributors.length,
    next,
    items: items.map((contribution) => presentContributor(contribution, userOf)),
  };
}
