import type { ListMembersQuery, Member } from '@bindery/contract';
import { Member as MemberModel, type MemberRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { containsText } from '../../records/containsText.ts';
import { findPage, type Order } from '../../records/findPage.ts';
import { showMembers } from '../../presenters/showMembers.ts';

const sortField = { joinedAt: 'joinedAt', lastSeenAt: 'lastSeenAt', name: 'displayName' } as const;

/** The members of the caller's organization, which guests find by name only: they see no e-mail addresses. Sorted by when they were last seen, those who never were are left out. */
export async function pageOfMembers(
  caller: MemberRecord,
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
  return { ...page, items: await showMembers(rows, caller) };
}
