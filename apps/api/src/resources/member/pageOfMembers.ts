import type { ListMembersQuery, Member } from '@bindery/contract';
import { Member as MemberModel, type MemberRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { containsText } from '../../records/containsText.ts';
import { findPage, type Order } from '../../records/findPage.ts';
import { showMembers, type MembersView } from '../../presenters/showMembers.ts';

const sortField = { joinedAt: 'joinedAt', lastSeenAt: 'lastSeenAt', name: 'displayName' } as const;

/**
 * The members of the caller's organization. A search by a guest, who sees no e-mail addresses, matches names
 * only. The order by `lastSeenAt` omits members who were never active.
 */
export async function pageOfMembers(
  { links, caller }: MembersView,
  { role, search, sort, order, ...query }: PageQuery & ListMembersQuery,
): Promise<Page<Member>> {
  const byName = { displayName: containsText(search ?? '') };
  const filter = {
    organization: caller.organization,
    ...(role !== undefined && { role: role === 'guest' ? null : role }),
    ...(search && (caller.role === null ? byName : { $or: [byName, { email: containsText(search) }] })),
    ...(sort === 'lastSeenAt' && { lastSeenAt: { $type: 'date' } }),
  };
  const direction = order === 'asc' ? 1 : -1;
  const by: Order = [
    [sortField[sort], direction],
    ['_id', direction],
  ];
  const { rows, ...page } = await findPage<MemberRecord>(MemberModel, filter, { ...query, order: by });
  return { ...page, items: await showMembers(rows, { links, caller }) };
}
