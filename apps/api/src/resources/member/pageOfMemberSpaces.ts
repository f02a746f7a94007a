import type { MemberSpace } from '@bindery/contract';
import { Space, type MemberRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { findPage } from '../../records/findPage.ts';
import type { Links } from '../../presenters/links.ts';
import { showSpaces } from '../space/showSpaces.ts';

/**
 * The spaces that a member (`target`) can access, with its role in each, ordered by title.
 *
 * Omits spaces that the caller cannot see, so that the list does not reveal them.
 */
export async function pageOfMemberSpaces(
  {
    links,
    organization,
    member,
    target,
  }: { links: Links; organization: OrganizationRecord; member: MemberRecord; target: MemberRecord },
  { order, ...query }: PageQuery & { order: 'asc' | 'desc' },
): Promise<Page<MemberSpace>> {
  const filter = { organization: organization._id, isDeleted: false, ...visibleToBoth(member, target) };
  const direction = order === 'asc' ? 1 : -1;
  const { rows, ...page } = await findPage<SpaceRecord>(Space, filter, {
    ...query,
    order: [
      ['title', direction],
      ['_id', direction],
    ],
  });
  const roleIn = new Map(rows.map(({ _id, access }) => [_id, roleInContent({ member: target, access })]));
  const spaces = await showSpaces(rows, { links, organization, member });
  return {
    ...page,
    items: spaces.flatMap((space) => {
      const permission = roleIn.get(space.id);
      return permission ? [{ permission, space }] : [];
    }),
  };
}

function visibleToBoth(one: MemberRecord, other: MemberRecord): object {
  const filters = [visibleTo(one), visibleTo(other)].filter((filter) => 'access.readers' in filter);
  return filters.length === 2 ? { $and: filters } : (filters[0] ?? {});
}
